import { TriangleAlert } from 'lucide-react'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage } from '../i18n/use-messages.tsx'
import css from './item.module.css'

/** Shows beside an item why the server refused the last command. */
export function Refusal({ error }: { readonly error: unknown }) {
  const language = useLanguage()
  if (error === null || error === undefined) return null
  return (
    <p className={css.refusal} role="alert">
      <TriangleAlert />
      <span>{describeError(error, language)}</span>
    </p>
  )
}
