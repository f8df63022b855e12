// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** What bash 5.2 and the GNU tools print for each. */
type Cases = readonly (readonly [what: string, script: string, stdout: string])[]

const LOSSLESS: Cases = [
  [
    'names of two lines',
    'f=$\'na me\\n.txt\'; echo data > "$f"; for g in *; do printf \'<%q>\' "$g"; done; cat na*.t?t; find . -type f -print0 | while IFS= read -r -d \'\' n; do cat "$n"; done; rm *; ls',
    "<$'na me\\n.txt'>data\ndata\n",
  ],
  [
    'base64: what is none of it',
    "printf 'aGk=' | base64 -d; echo; printf 'zz!!' | base64 -d | od -An -tx1; printf 'zz!!' | base64 -d > f; echo $?; base64 -di <<< 'aG!!k='; echo; printf 'YWJjZA' | base64 -d; echo $?; printf 'YQ==Yg==' | base64 -d; base64 -w x f; echo $?",
    'hi\n cf\n1\nhi\nabcd1\nab1\n',
  ],
  [
    'base64: lines',
    "head -c 200 /dev/zero | base64; head -c 50 /dev/zero | base64 -w 20; printf '\\377\\376\\0' | base64 -w0; printf '//4A' | base64 -d | od -An -tx1; printf '' | base64; printf 'YWJj\\nZGVm\\n' | base64 -d",
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\nAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAAAAAA\nAAAAAAA=\n//4A ff fe 00\nabcdef',
  ],
  ['jq: characters by their numbers', 'jq -n \'"\\u00fc\\ud83d\\ude00\\b\\f"\'; jq -nr \'"a\\u0041\\(1+1)"\'', '"ü😀\\b\\f"\naA2\n'],
  [
    'shifts and assignments in ((',
    'x=5; ((x<<=2)); echo $x; ((x|=1)); echo $x; ((y=1<<4)); echo $y; ((x>>=1)); echo $x; if ((1<<2 > 3)); then echo yes; fi',
    '20\n21\n16\n10\nyes\n',
  ],
  [
    'a text goes unchanged through',
    "printf '%s\\n' 'a \\ b \\n $x `t` \"q\" '\"'s'\"' !b ü' > f; printf '\\ttab\\n' >> f; while IFS= read -r l; do printf '%s\\n' \"$l\"; done < f | cmp - f; mapfile l < f; printf '%s' \"${l[@]}\" | cmp - f; x=$(cat f); echo \"$x\" | cmp - f; xargs -d '\\n' -n1 printf '%s\\n' < f | cmp - f; jq -Rs . f | jq -rj . | cmp - f; eval \"y=${x@Q}\"; echo \"$y\" | cmp - f; bash -c 'echo \"$1\"' _ \"$x\" | cmp - f; base64 f | base64 -d | cmp - f; tr a a < f | cmp - f; echo end",
    'end\n',
  ],
]

describe('nothing is lost without a word:', () => {
  it.each(LOSSLESS)('%s', async (_, script, stdout) => {
    const { shell } = setup()
    expect((await shell.exec(script)).stdout).toBe(stdout)
  })

  it.each([
    ['a file that is too large', 'truncate -s 99G f', 'too large'],
    ['a block that is too large', 'dd if=/dev/zero of=f bs=1G count=99', 'bs='],
    ['more of a device than there is room for', 'head -c 99G /dev/zero', 'at most'],
    ['a width of printf', "printf '%2000000s' x", 'a width of more than'],
    ['a width of awk', 'awk \'BEGIN { printf "%2000000s", 1 }\'', 'a width of more than'],
  ])('%s is refused', async (_, script, words) => {
    const { shell } = setup()
    const { stdout, stderr, exitCode } = await shell.exec(script)
    expect(exitCode).toBeGreaterThan(0)
    expect(stdout).toBe('')
    expect(stderr.toLowerCase()).toContain(words)
  })
})
