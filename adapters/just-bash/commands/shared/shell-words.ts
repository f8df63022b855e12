const WORDS = new Set(
  (
    '! { } [[ ]] case coproc do done elif else esac fi for function if in select then time until while ' +
    '. : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit ' +
    'export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return ' +
    'set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'
  ).split(' '),
)

/** Whether the name is a keyword or builtin, which bash looks up before commands. */
export const isBuiltin = (name: string): boolean => WORDS.has(name)
