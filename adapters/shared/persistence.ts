/** `navigator.storage`, as far as it is asked here. */
interface StorageLike {
  persist?(): Promise<boolean>
  persisted?(): Promise<boolean>
}

const storage = (): StorageLike | undefined =>
  (globalThis as { readonly navigator?: { readonly storage?: StorageLike } }).navigator?.storage

/** Asks the browser not to clear this site's data when it needs room; some ask the user. False where that cannot be had. Never rejects. */
export async function requestPersistence(): Promise<boolean> {
  try {
    return (await storage()?.persist?.()) ?? false
  } catch {
    return false
  }
}

/** Whether the browser promised not to clear this site's data when it needs room. False where it cannot say. Never rejects. */
export async function isPersisted(): Promise<boolean> {
  try {
    return (await storage()?.persisted?.()) ?? false
  } catch {
    return false
  }
}
