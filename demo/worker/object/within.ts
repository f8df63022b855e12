/** Whether `work` settles within `ms`. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | null = null
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const ended = (): true => true
  try {
    return await Promise.race([work.then(ended, ended), late])
  } finally {
    clearTimeout(timer)
  }
}
