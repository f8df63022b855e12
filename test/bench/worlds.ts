/** Path -> text, as the floor uses it. The adapters' files are made from the same map. */
export type World = ReadonlyMap<string, string>

export const ROOT = '/workspace'
export const NEEDLE = 'createNeedle'
/** A text that occurs in one file only. Its first letter occurs in no other file, which is the fastest case for a text search. */
export const RARE = 'rareNeedle'

const two = (n: number): string => String(n).padStart(2, '0')

/** A hundred lines of about 40 characters, like code. */
export function source(seed: number): string {
  const lines: string[] = []
  for (let i = 0; i < 100; i++) lines.push(`  const value${i} = compute(${seed}, ${i}) // step ${i}`)
  return `${lines.join('\n')}\n`
}

/** 1,000 files of 100 lines in 20 directories; every 20th file has one line with the needle. */
export function sources(): World {
  const files = new Map<string, string>()
  for (let i = 0; i < 1000; i++) {
    const text = source(i)
    const name = i === 500 ? RARE : i % 20 === 7 ? NEEDLE : 'compute'
    const hit = text.replace('compute', name)
    files.set(`${ROOT}/pkg${two(i % 20)}/module-${String(i).padStart(4, '0')}.ts`, hit)
  }
  return sorted(files)
}

const WORDS = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'.split(' ')

/** One file of 2 MB, `big.txt`: 40,000 lines with unsorted numbers and repeated words. */
export function bigText(): World {
  const word = (n: number): string => WORDS[n % WORDS.length] ?? ''
  const lines = Array.from({ length: 40_000 }, (_, i) => {
    const n = (i * 7919) % 40_009
    return `${n} ${word(n)} ${word(n >> 4)} line of text, value=${n % 100}; ${word(i >> 6)}`
  })
  return new Map([[`${ROOT}/big.txt`, `${lines.join('\n')}\n`]])
}

/** Small files in 100 directories; one in ten is Markdown. */
export function tree(count: number): World {
  const files = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    files.set(`${ROOT}/dir${two(i % 100)}/file-${String(i).padStart(6, '0')}${i % 1000 < 100 ? '.md' : '.ts'}`, 'x\n')
  }
  return sorted(files)
}

/** The paths of every directory below the root. */
export function directories(world: World): string[] {
  const found = new Set<string>()
  for (const path of world.keys()) {
    for (let end = path.lastIndexOf('/'); end > ROOT.length; end = path.lastIndexOf('/', end - 1)) found.add(path.slice(0, end))
  }
  return [...found].sort()
}

/** The files as `createMemoryFs` takes them, with paths relative to the root. */
export function asFiles(world: World): Record<string, string> {
  return Object.fromEntries([...world].map(([path, text]) => [path.slice(ROOT.length + 1), text]))
}

function sorted(files: Map<string, string>): World {
  return new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
}
