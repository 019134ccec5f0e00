import css from './sidebar.module.css'

export const Logo = () => (
  <span className={css.logo} aria-hidden="true">
    <svg viewBox="0 0 16 16">
      <path d="M3.500 4v8M8 4v9M12.500 4v8" />
    </svg>
  </span>
)
