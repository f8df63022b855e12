// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** What bash 5.2 and the GNU tools print for each. */
type Cases = readonly (readonly [what: string, script: string, stdout: string])[]

const ARRAYS: Cases = [
  ['quotes joined', 'declare -A m=([a]=\'it\'"\'"\'s "q"\' [b]="x"\'y\'$\'\\t\'"z"); echo "${m[a]}|${m[b]}"', 'it\'s "q"|xy\tz\n'],
  [
    'keys of several words',
    'declare -A m; m=([b c]=2 [d]=3); echo "${#m[@]} ${m[b c]} ${m[d]}"; m+=([e f]="4 5"); echo "${m[e f]} ${#m[@]}"',
    '2 2 3\n4 5 3\n',
  ],
  [
    'keys with quotes and brackets',
    "declare -A m=([\"x]\"]=1 ['y z']=2 [a\\ b]=3 [\"q\\\"r\"]=4 ['a'\"'\"'b']=5); for k in 'x]' 'y z' 'a b' 'q\"r' \"a'b\"; do echo \"${m[$k]}\"; done; echo ${#m[@]}",
    '1\n2\n3\n4\n5\n5\n',
  ],
  [
    'keys that are expanded',
    'k=\'two words\'; declare -A m=([$k]=1 ["$(echo key one)"]=2 [n$((1+1))]=3); for k in \'two words\' \'key one\' n2; do echo "${m[$k]}"; done; m=(["$k"e]=4); echo "${!m[@]}"',
    '1\n2\n3\nn2e\n',
  ],
  [
    'pairs',
    'declare -A m=(a 1 "b c" 2); echo "${m[a]}${m[b c]} ${#m[@]}"; m+=(d 3); echo "${m[d]} ${#m[@]}"; declare -A n=(a 1 b); echo "${n[b]-none} ${#n[@]}"',
    '12 2\n3 3\n 2\n',
  ],
  [
    'adding',
    'declare -A m=([k]=1); m+=([k2]=v [k]+=9); echo "${m[k]} ${m[k2]}"; a=(1); a+=([5]=x y); echo "${!a[@]} ${a[6]}"',
    '19 v\n0 5 6 y\n',
  ],
  [
    'in functions',
    'f() { local -A m=([x y]="1 2" [z]=\'q)r\'); echo "${m[x y]}|${m[z]}|${#m[@]}"; m+=([n]=1); }; f; echo "${m[n]-unset}"; g() { declare -A m=([a]="$1" [b]="$*"); echo "${m[a]}|${m[b]}"; }; g "x y" \'q"\'"\'"',
    '1 2|q)r|2\nunset\nx y|x y q"\'\n',
  ],
  [
    'readonly and declare -g',
    'readonly -A r=([a]=1 [b c]="2 3"); echo "${r[a]} ${r[b c]}"; f() { declare -gA h=([q r]=2); }; f; echo "${h[q r]}"; readonly l=("a b" c); echo "${l[0]}"',
    '1 2 3\n2\na b\n',
  ],
  [
    'values with every sign',
    'x=\'va l*\'; declare -A m=([a]=\'x)y\' [b]=\'p]q\' [c]=\'k=v\' [d]=$(echo "s  t") [e]="$(echo "u  v")" [f]="$x" [g]=$x [h]= [i]="" [j]=\'[y]=z\'); for k in a b c d e f g h i j; do echo "$k<${m[$k]}>"; done',
    'a<x)y>\nb<p]q>\nc<k=v>\nd<s  t>\ne<u  v>\nf<va l*>\ng<va l*>\nh<>\ni<>\nj<[y]=z>\n',
  ],
  ['over lines, with comments', 'declare -A m=([a]=1\n[b c]="2\n3"\n# comment\n[d]=\'4\'); echo ${#m[@]}; echo "${m[b c]}"', '3\n2\n3\n'],
  [
    'read back',
    "declare -A m=([k 1]=$'a\\nb\\tc' ['q\"']='it'\"'\"'s $x `y` \\z'); declare -p m > p; unset m; . ./p; printf '<%s>' \"${m[k 1]}\" \"${m['q\"']}\"; a=(\"x y\" 'z\"' $'n\\nl' '' 'a\\b'); eval \"b=(${a[*]@Q})\"; eval \"$(declare -p a | sed 's/ a=/ c=/')\"; declare -p b c",
    '<a\nb\tc><it\'s $x `y` \\z>declare -a b=([0]="x y" [1]="z\\"" [2]=$\'n\\nl\' [3]="" [4]="a\\\\b")\ndeclare -a c=([0]="x y" [1]="z\\"" [2]=$\'n\\nl\' [3]="" [4]="a\\\\b")\n',
  ],
  [
    'indexed',
    "declare -a l=(\"a b\" 'c'\"'\"'d' e\\ f $'g\\nh' 'a\\b'); echo ${#l[@]}; printf '<%s>' \"${l[@]}\"; i=2; l=([0]=x [i+3]=\"y z\" [2]='w'); echo \"${!l[@]} ${l[5]}\"",
    "5\n<a b><c'd><e f><g\nh><a\\b>0 2 5 y z\n",
  ],
  [
    'elements that look like others',
    "declare -a l=('[0]=x' \"[y]\" '(' 'a=b'); printf '<%s>' \"${l[@]}\"; f() { local -a q=(\"$@\"); echo \"${#q[@]}\"; }; f '[a]=1' 'b c' ''",
    '<[0]=x><[y]><(><a=b>3\n',
  ],
  [
    'splitting and globs',
    'touch f1 f2; x=\'a b\'; declare -a l=($x "$x" f* $(echo c d) {1..2}); printf \'<%s>\' "${l[@]}"',
    '<a><b><a b><f1><f2><c><d><1><2>',
  ],
  [
    'attributes of local variables',
    'f() { local -i n=3+4; n+=5; local -l s=ABC; local -u t=def; echo $n $s$t; s=XyZ; echo $s; }; f; n=1+1; s=AbC; echo $n $s; g() { local -r c=1; echo $c; }; g; c=2; echo $c; h() { local -x E=5; bash -c \'echo $E\'; }; h; echo "[$E]"',
    '12 abcDEF\nxyz\n1+1 AbC\n1\n2\n5\n[]\n',
  ],
  ['attributes of elements', 'declare -ia n=(1+1 2*3); echo "${n[@]}"; declare -uA u=([a]=bc); echo "${u[a]}"', '2 6\nBC\n'],
]

describe('lists of arrays', () => {
  it.each(ARRAYS)('%s', async (_, script, stdout) => {
    const { shell } = setup()
    expect((await shell.exec(script)).stdout).toBe(stdout)
  })

  it('with a word that has no key among others are not taken silently', async () => {
    const { shell } = setup()
    const { stdout, stderr } = await shell.exec('declare -A m; m=([a]=1 b [c]=2); echo "$? ${#m[@]}"')
    expect(stdout).toBe('1 2\n')
    expect(stderr).toContain('b: must use subscript')
  })
})
