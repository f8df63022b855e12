import { type Random, randomOf } from '../random.js'
import { bash, edit, envelope, glob, grep, list, move, read, remove, type ScriptCall, type ScriptPart, write } from './call.js'

const CALLS = 200
const SEED = 5
const WORDS = ['alpha', 'beta', 'grün', 'const x = 1', '😀', '\ttab', 'naïve  ', '']
const NAMES = ['a', 'b', 'd', 'grün', 'f.txt']

/** Few different paths, so that calls meet entries that earlier calls have left. */
const pathOf = (random: Random): string => ['r', ...Array.from({ length: 1 + random.below(3) }, () => random.pick(NAMES))].join('/')

function textOf(random: Random): string {
  const end = random.below(4) === 0 ? '\r\n' : '\n'
  return Array.from({ length: random.below(8) }, () => random.pick(WORDS) + end).join('') + (random.below(5) === 0 ? 'no end' : '')
}

const DRAWS: readonly ((random: Random) => ScriptCall)[] = [
  (random) => write(pathOf(random), textOf(random), { mode: random.pick(['overwrite', 'overwrite', 'create', 'append']) }),
  (random) => write(pathOf(random), textOf(random)),
  (random) => write(pathOf(random), textOf(random)),
  (random) => edit(pathOf(random), [random.pick(WORDS), random.pick(WORDS), random.below(2) === 0]),
  (random) => edit(pathOf(random), [random.pick(WORDS), random.pick(WORDS), true], [random.pick(WORDS), random.pick(WORDS), true]),
  (random) => {
    const [added, changed] = [pathOf(random), pathOf(random)]
    return envelope(
      `*** Add File: ${added}`,
      `+${random.pick(WORDS)}`,
      `*** Update File: ${changed}`,
      '@@',
      `-${random.pick(WORDS)}`,
      '+patched',
    )
  },
  (random) => envelope(`*** Delete File: ${pathOf(random)}`, `*** Add File: ${pathOf(random)}`, `+${random.pick(WORDS)}`),
  (random) => move(pathOf(random), pathOf(random), random.below(2) === 0),
  (random) => move(pathOf(random), pathOf(random), true),
  (random) => remove(pathOf(random), random.below(3) === 0),
  (random) => read(pathOf(random), { offset: 1 + random.below(4) }),
  (random) => read(pathOf(random), { encoding: 'base64', byte_offset: random.below(9), max_bytes: 1 + random.below(20) }),
  (random) => list({ path: 'r', recursive: true, limit: 1 + random.below(30) }),
  (random) => list({ path: pathOf(random) }),
  (random) => glob({ pattern: random.pick(['**', 'r/*/*', '**/f.txt', 'r/{a,b}/**']), kind: random.pick(['file', 'dir', 'any']) }),
  (random) =>
    grep({ pattern: random.pick(['alpha', '^$', 'ü', 'x = \\d']), path: 'r', output: random.pick(['content', 'files', 'count']) }),
  (random) => bash(`cp -r ${pathOf(random)} ${pathOf(random)}; echo $?`),
  (random) => bash(`mv ${pathOf(random)} ${pathOf(random)}; echo $?`),
  (random) => bash(`mkdir -p ${pathOf(random)}; echo "$(date > /dev/null; echo shell)" >> ${pathOf(random)}; cat ${pathOf(random)}`),
  (random) => bash(`rm -r ${pathOf(random)}; find r | sort`),
  (random) => bash(`sed -i s/alpha/ALPHA/ ${pathOf(random)}; sort ${pathOf(random)} | uniq -c`),
]

function draw(): ScriptCall[] {
  const random = randomOf(SEED)
  return [
    write('r/a/f.txt', 'alpha\nbeta\n'),
    ...Array.from({ length: CALLS }, () => random.pick(DRAWS)(random)),
    bash('find r | sort', { reset_session: true }),
  ]
}

export const DRAWN: ScriptPart = { title: 'drawn', needs: [], calls: draw() }
