// @module-tag virtual-shell
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is bash.
import { describe, expect, it } from 'vitest'
import { setup } from './just-bash-support.js'

/** What bash 5.2 and the GNU tools print for each. */
type Cases = readonly (readonly [what: string, script: string, stdout: string])[]

const INTEGERS: Cases = [
  [
    'beyond 2^53',
    'echo $((9007199254740993)) $((2**62)) $((9223372036854775807)) $((9223372036854775807+1)) $((12345678901234567*3)) $((1000000007*1000000007%998244353))',
    '9007199254740993 4611686018427387904 9223372036854775807 -9223372036854775808 37037036703703701 740650005\n',
  ],
  [
    'bits',
    'echo $((1<<40)) $((1<<62)) $((1<<63)) $((-1>>1)) $((0xFFFFFFFFFF)) $((~0)) $(((1<<33)|1)) $((1<<31)) $((0xEDB88320^0xFFFFFFFF)) $((-8>>1&0xFFFFFFFFFF))',
    '1099511627776 4611686018427387904 -9223372036854775808 -1 1099511627775 -1 8589934593 2147483648 306674911 1099511627772\n',
  ],
  [
    'numbers',
    'echo $((64#_)) $((36#Zz)) $((2#1011)) $((017)) $((0x1F)) $((-7/2)) $((-7%3)) $((0*-1)) $((3**50)) $((7**0)); x=010; echo $((x)) $((-x)); x=0; echo $((x))',
    '63 1295 11 15 31 -3 -1 0 6048575297968530377 1\n8 -8\n0\n',
  ],
  [
    'steps and assignments',
    'x=9223372036854775806; ((x++)); echo $x; ((x-=2)); echo $x; a[3]=9007199254740992; ((a[3]++)); echo ${a[3]}; declare -A m; ((m[k]+=9007199254740993)); ((--m[k])); echo ${m[k]}; x=1+1; ((x++)); echo $x; ((x|=1<<40)); echo $x',
    '9223372036854775807\n9223372036854775805\n9007199254740993\n9007199254740992\n3\n1099511627779\n',
  ],
  ['integer variables', 'declare -i n=9007199254740992; n+=1; echo $n; n=n*3; echo $n', '9007199254740993\n27021597764222979\n'],
  [
    'comparisons',
    '[ 9007199254740993 -eq 9007199254740992 ]; echo $?; [[ 9007199254740993 -gt 9007199254740992 ]]; echo $?; ((9007199254740993 == 9007199254740992)); echo $?; test 1 -lt 99999999999999999999; echo $?; [ "" -eq 0 ]; echo $?; [ \' 5 \' -eq 5 ]; echo $?',
    '1\n0\n1\n2\n2\n0\n',
  ],
  [
    'loops',
    'for ((i=9007199254740991; i<9007199254740995; i++)); do echo $i; done',
    '9007199254740991\n9007199254740992\n9007199254740993\n9007199254740994\n',
  ],
  ['a division by zero', '((x=5)); ((x/=0)); echo $? $x', '1 5\n'],
  [
    'factorials',
    'f() { local n=$1; (( n <= 1 )) && { echo 1; return; }; echo $(( n * $(f $((n-1))) )); }; f 20; f 21',
    '2432902008176640000\n-4249290049419214848\n',
  ],
  [
    'printf',
    "printf '%d %u %x\\n' 9223372036854775808 9223372036854775808 9223372036854775807; printf '%d\\n' -9223372036854775809; printf '%u\\n' -1",
    '9223372036854775807 9223372036854775808 7fffffffffffffff\n-9223372036854775808\n18446744073709551615\n',
  ],
]

describe('numbers of 64 bits', () => {
  it.each(INTEGERS)('%s', async (_, script, stdout) => {
    const { shell } = setup()
    expect((await shell.exec(script)).stdout).toBe(stdout)
  })

  it('are refused where the library has none', async () => {
    const { shell } = setup()
    const { stdout, stderr, exitCode } = await shell.exec('seq 9007199254740990 9007199254740995')
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
    expect(stderr).toContain('beyond 2^53')
  })
})
