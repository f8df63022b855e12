// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** What bash 5.2 and the GNU tools print for each. */
type Cases = readonly (readonly [what: string, script: string, stdout: string])[]

const INPUT: Cases = [
  ['a program takes what is left', 'seq 3 | while read x; do cat > f$x; done; cat f*; ls', '2\n3\nf1\n'],
  [
    'head leaves the rest',
    "printf 'h\\nb\\na\\n' > f; { head -n1; echo --; sort; } < f; { head -c 3; sort; } < f; (head -1; tail -1) < f",
    'h\n--\na\nb\nh\nb\na\nh\na\n',
  ],
  [
    'what one takes the next has not',
    "printf 'h\\nb1\\nb2\\n' > f; { read h; cat > body; } < f; cat body; { cat > /dev/null; wc -l; } < f; f() { read l; echo \"[$l]\"; cat; wc -l; }; printf 'x\\ny\\n' | f",
    'b1\nb2\n0\n[x]\ny\n0\n',
  ],
  [
    'programs that do not look',
    "printf '1\\n2\\n' > in; echo x > d; while read x; do cat d; grep -c x d; sed -n 1p d; awk 1 d; sort d; env echo e; timeout 5 echo t; bash -c 'echo b'; base64 d; tr x y < d; find d; jq -n 1; echo $x; done < in",
    'x\n1\nx\nx\nx\ne\nt\nb\neAo=\ny\nd\n1\n1\nx\n1\nx\nx\nx\ne\nt\nb\neAo=\ny\nd\n1\n2\n',
  ],
  [
    'an empty input of its own',
    'while read l; do read x < /dev/null; echo "[$x]$l"; mapfile -t e < /dev/null; echo ${#e[@]}; cat < /dev/null; done <<< $\'a\\nb\'',
    '[]a\n0\n[]b\n0\n',
  ],
  [
    'mapfile: options together',
    "printf 'a\\0b\\0' | { mapfile -td '' x; echo ${#x[@]} ${x[1]}; }; mapfile -tn2 y <<< $'p\\nq\\nr'; echo \"${y[@]}\"; mapfile -t -s1 -O3 z <<< $'p\\nq'; echo \"${!z[@]} ${z[3]}\"; mapfile -t -d, c <<< 'x,y'; printf '<%s>' \"${c[@]}\"",
    '2 b\np q\n3 q\n<x><y\n>',
  ],
  [
    'mapfile: a descriptor',
    'printf \'1\\n2\\n3\\n4\\n\' > f; exec 3<f; mapfile -t -u 3 -n 2 a; read -u 3 x; echo "${a[@]} $x"; mapfile -u 9 q 2>/dev/null; echo $?',
    '1 2 3\n1\n',
  ],
  [
    'mapfile: what it leaves',
    'printf \'1\\n2\\n3\\n4\' | { mapfile -tn2 a; cat; echo; echo "${a[@]}"; }; { mapfile -t -n1 a; read b; cat; } <<< $\'1\\n2\\n3\'; echo "$a $b"',
    '3\n4\n1 2\n3\n1 2\n',
  ],
  ['names that are empty', 'mkdir d; echo x > d/f; cd d; grep -r x ""; echo $?; grep x \'\'; echo $?', '2\n2\n'],
]

describe('the input of a group', () => {
  it.each(INPUT)('%s', async (_, script, stdout) => {
    const { shell } = setup()
    expect((await shell.exec(script)).stdout).toBe(stdout)
  })

  it('has no callbacks: mapfile refuses them', async () => {
    const { shell } = setup()
    const { stderr, exitCode } = await shell.exec('mapfile -C echo -c 1 a <<< x')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('not supported')
  })
})
