import { importFile, leftOut } from '../archives/archives.js'
import type { OpenedFolder } from '../folder/collect.js'
import { plural } from '../format.js'
import { writeFiles } from '../homes/open-session.js'
import type { Task } from '../homes/task-bar.js'
import { messageOf } from '../notice.js'
import type { Sample } from '../samples/samples.js'
import type { Files, Workspace } from '../session.js'
import { visibleNameText } from '../visible.js'
import type { Cloning } from './clone.js'
import type { CloneWish } from './clone-wish.js'

/** The initial content of a new workspace. */
export interface Beginning {
  /** Default name of the workspace. */
  readonly name: string
  /** Fills the workspace and returns a message for the user. If this throws, no workspace is created. */
  fill(workspace: Workspace, task?: Task): Promise<string>
}

export const emptyBeginning: Beginning = {
  name: 'workspace',
  fill: async () => 'This workspace is empty. What you and the tools write is all that will be in it.',
}

export function sampleBeginning({ name, label, files }: Sample): Beginning {
  return {
    name,
    async fill(workspace) {
      const content = await files().catch((error: unknown) => {
        throw new Error(`The sample could not be loaded: ${messageOf(error)}`, { cause: error })
      })
      await writeFiles(workspace, content)
      return `${label}: README.md says what can be done with it.`
    },
  }
}

export function folderBeginning({ name, files, skipped }: OpenedFolder): Beginning {
  return {
    name,
    async fill(workspace) {
      await writeFiles(workspace, files as Files)
      if (skipped.length) return `This is a copy of ${name}. Left out: ${skipped.join(', ')}.`
      return `This is a copy of ${name}. Your folder itself is never changed.`
    },
  }
}

export function archiveBeginning(file: File): Beginning {
  return {
    name: file.name.replace(/\.(?:tar|tgz|tar\.gz|gz|zip|toolport)$/i, '') || 'archive',
    async fill(workspace, task) {
      const report = await importFile(workspace, file, task)
      const { files } = report
      return `${plural(files, 'file')} of ${visibleNameText(file.name)} ${files === 1 ? 'is' : 'are'} in this new workspace.${leftOut(report)}`
    },
  }
}

export function gitBeginning(wish: CloneWish, cloning: Cloning): Beginning {
  return {
    name: wish.name,
    async fill(workspace) {
      const { cloneInto } = await import('./clone.js')
      const { branch, oid, files } = await cloneInto(workspace, wish, cloning)
      if (oid === undefined) return `${wish.label} is cloned. It has no commits yet.`
      return `${branch ?? wish.ref ?? 'HEAD'} of ${wish.label} is cloned, at ${oid.slice(0, 7)}: ${plural(files, 'file')}.`
    },
  }
}
