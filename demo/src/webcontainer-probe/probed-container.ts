import type { FileSystemTree } from '@webcontainer/api'
import type { WebContainerLike } from 'toolport/adapters/webcontainer'

/** A real container, or a fake of one. */
export interface ProbedContainer extends WebContainerLike {
  mount(tree: FileSystemTree, options?: { mountPoint?: string }): Promise<void>
}
