import type { FileSystemTree } from '@webcontainer/api'
import type { WebContainerProcessesLike } from 'toolport/adapters/webcontainer'

/** A real container, or a fake of one. */
export interface ProbedContainer extends WebContainerProcessesLike {
  mount(tree: FileSystemTree, options?: { mountPoint?: string }): Promise<void>
}
