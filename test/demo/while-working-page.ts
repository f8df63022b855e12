import { afterEach, vi } from 'vitest'

/** Opens what the tests of a file look at before each of them, and closes it after. */
export function useWhileWorkingPage(): void {
  afterEach(() => vi.restoreAllMocks())
}
