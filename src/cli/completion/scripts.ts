/**
 * The shell scripts that call `muster __complete`. They contain no lists of commands, so they also work for new
 * commands.
 */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

const bash = `# Tab in bash. In ~/.bashrc:  eval "$(muster completion bash)"
_muster() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <("\${1/#\\~/$HOME}" __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  # No space after these. Bash 3 has no compopt and adds one.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[:=/@] ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}
complete -F _muster muster
`

const zsh = `#compdef muster
# Tab in zsh. In ~/.zshrc, after compinit:  eval "$(muster completion zsh)"
_muster() {
  local line value
  local -a whole begun
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    line="\${value//:/\\\\:}:\${line#*$'\\t'}"
    # No space after these.
    if [[ $value == *[:=/@] ]]; then begun+=("$line"); else whole+=("$line"); fi
  done < <("\${words[1]}" __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  (( $#whole )) && _describe -t whole answer whole
  (( $#begun )) && _describe -t begun answer begun -S ''
  (( $#whole + $#begun ))
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _muster muster
`

const fish = `# Tab in fish. In ~/.config/fish/config.fish:  muster completion fish | source
function __muster_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l current (commandline -ct)
    set -e words[1]
    $program __complete fish $words "$current" 2>/dev/null
end
complete -c muster -f -a '(__muster_complete)'
`

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash, zsh, fish }
