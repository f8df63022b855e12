/** A growing list of integers up to 2^31 - 1. A plain array with millions of items blocks whenever it grows. */
export class IntList {
  #numbers: Int32Array = new Int32Array(256)
  #length = 0

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const more = new Int32Array(2 * this.#length)
      more.set(this.#numbers)
      this.#numbers = more
    }
    this.#numbers[this.#length++] = number
  }

  values(): Int32Array {
    return this.#numbers.subarray(0, this.#length)
  }
}
