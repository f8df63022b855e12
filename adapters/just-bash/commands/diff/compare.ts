import type { Pace } from '../shared/pace.js'

/** The lines of a file as numbers. Equal lines of both files have equal numbers. */
export type Lines = readonly number[]

/**
 * Lines `beforeFrom` to `beforeTo` of the old file are replaced by `afterFrom` to `afterTo` of the new file. Counted from 0, with exclusive
 * ends.
 */
export interface Change {
  readonly beforeFrom: number
  readonly beforeTo: number
  readonly afterFrom: number
  readonly afterTo: number
  /** Whether `-B` or `-I` ignores the change. */
  readonly ignored?: boolean
}

/** Maximum number of edits in a part for which to search the shortest edit script. */
const MAX_EDITS = 4000

export async function changesOf(before: Lines, after: Lines, pace: Pace): Promise<Change[]> {
  const marks = new Marks(before, after, pace)
  await marks.compare(0, before.length, 0, after.length)
  shift(marks.before, marks.after, before)
  shift(marks.after, marks.before, after)
  return marks.changes()
}

class Marks {
  readonly before: boolean[]
  readonly after: boolean[]
  readonly #a: Lines
  readonly #b: Lines
  readonly #forward: Int32Array
  readonly #backward: Int32Array
  readonly #pace: Pace

  constructor(a: Lines, b: Lines, pace: Pace) {
    this.#pace = pace
    this.#a = a
    this.#b = b
    this.before = new Array<boolean>(a.length).fill(false)
    this.after = new Array<boolean>(b.length).fill(false)
    this.#forward = new Int32Array(a.length + b.length + 3)
    this.#backward = new Int32Array(a.length + b.length + 3)
  }

  /** Marks the lines that differ between two parts. Uses divide and conquer (Myers' linear-space algorithm). */
  async compare(from: number, to: number, otherFrom: number, otherTo: number): Promise<void> {
    let [aLow, aHigh, bLow, bHigh] = [from, to, otherFrom, otherTo]
    while (aLow < aHigh && bLow < bHigh && this.#a[aLow] === this.#b[bLow]) {
      aLow++
      bLow++
    }
    while (aLow < aHigh && bLow < bHigh && this.#a[aHigh - 1] === this.#b[bHigh - 1]) {
      aHigh--
      bHigh--
    }
    if (aLow === aHigh) this.after.fill(true, bLow, bHigh)
    else if (bLow === bHigh) this.before.fill(true, aLow, aHigh)
    else {
      const middle = await this.#middle(aLow, aHigh, bLow, bHigh)
      if (!middle) {
        this.before.fill(true, aLow, aHigh)
        this.after.fill(true, bLow, bHigh)
        return
      }
      await this.compare(aLow, middle.a, bLow, middle.b)
      await this.compare(middle.a, aHigh, middle.b, bHigh)
    }
  }

  /** Searches from both ends at once for a point on a shortest path. Returns undefined after `MAX_EDITS` edits. */
  async #middle(aLow: number, aHigh: number, bLow: number, bHigh: number): Promise<{ a: number; b: number } | undefined> {
    const [forward, backward] = [this.#forward, this.#backward]
    const shiftBy = this.#b.length + 1
    const [low, high] = [aLow - bHigh, aHigh - bLow]
    const [first, last] = [aLow - bLow, aHigh - bHigh]
    const odd = ((first - last) & 1) !== 0
    let [fMin, fMax, bMin, bMax] = [first, first, last, last]
    forward[first + shiftBy] = aLow
    backward[last + shiftBy] = aHigh
    for (let cost = 1; cost <= MAX_EDITS; cost++) {
      if (cost % 16 === 0) await this.#pace.turn(cost >> 3)
      if (fMin > low) forward[--fMin - 1 + shiftBy] = -1
      else fMin++
      if (fMax < high) forward[++fMax + 1 + shiftBy] = -1
      else fMax--
      for (let d = fMax; d >= fMin; d -= 2) {
        const [below, above] = [forward[d - 1 + shiftBy] as number, forward[d + 1 + shiftBy] as number]
        let x = below < above ? above : below + 1
        let y = x - d
        while (x < aHigh && y < bHigh && this.#a[x] === this.#b[y]) {
          x++
          y++
        }
        forward[d + shiftBy] = x
        if (odd && bMin <= d && d <= bMax && (backward[d + shiftBy] as number) <= x) return { a: x, b: y }
      }
      if (bMin > low) backward[--bMin - 1 + shiftBy] = 0x7fffffff
      else bMin++
      if (bMax < high) backward[++bMax + 1 + shiftBy] = 0x7fffffff
      else bMax--
      for (let d = bMax; d >= bMin; d -= 2) {
        const [below, above] = [backward[d - 1 + shiftBy] as number, backward[d + 1 + shiftBy] as number]
        let x = below < above ? below : above - 1
        let y = x - d
        while (aLow < x && bLow < y && this.#a[x - 1] === this.#b[y - 1]) {
          x--
          y--
        }
        backward[d + shiftBy] = x
        if (!odd && fMin <= d && d <= fMax && x <= (forward[d + shiftBy] as number)) return { a: x, b: y }
      }
    }
    return undefined
  }

  changes(): Change[] {
    const changes: Change[] = []
    let [i, j] = [0, 0]
    while (i < this.before.length || j < this.after.length) {
      if (!this.before[i] && !this.after[j]) {
        i++
        j++
        continue
      }
      const [beforeFrom, afterFrom] = [i, j]
      while (this.before[i]) i++
      while (this.after[j]) j++
      changes.push({ beforeFrom, beforeTo: i, afterFrom, afterTo: j })
    }
    return changes
  }
}

/** Moves ambiguous changes to the position that GNU diff selects: the last possible one, or one next to a change of the other file. */
function shift(changed: boolean[], other: readonly boolean[], lines: Lines): void {
  const end = lines.length
  let [i, j] = [0, 0]
  for (;;) {
    while (i < end && !changed[i]) {
      while (other[j++]);
      i++
    }
    if (i === end) return
    let start = i
    while (changed[++i]);
    while (other[j]) j++
    let corresponding: number
    let length: number
    do {
      length = i - start
      while (start > 0 && lines[start - 1] === lines[i - 1]) {
        changed[--start] = true
        changed[--i] = false
        while (changed[start - 1]) start--
        while (other[--j]);
      }
      corresponding = other[j - 1] ? i : end
      while (i !== end && lines[start] === lines[i]) {
        changed[start++] = false
        changed[i++] = true
        while (changed[i]) i++
        while (other[++j]) corresponding = i
      }
    } while (length !== i - start)
    while (corresponding < i) {
      changed[--start] = true
      changed[--i] = false
      while (other[--j]);
    }
  }
}
