/** Calls a listener and ignores its exceptions and rejections. */
export function tell<T>(listener: (value: T) => void, value: T): void {
  try {
    const answer: unknown = listener(value)
    if (typeof answer === 'object' && answer !== null && 'then' in answer) void swallow(answer)
  } catch {
    // An exception of an observer does not fail the call.
  }
}

async function swallow(answer: unknown): Promise<void> {
  try {
    await answer
  } catch {
    // As above.
  }
}
