export type {
  WebContainerDirentLike,
  WebContainerFsLike,
  WebContainerLike,
  WebContainerProcessesLike,
  WebContainerProcessLike,
  WebContainerSpawnOptions,
  WebContainerTree,
} from './container-like.js'
export type { Files as WebContainerFiles } from './import-files.js'
export { createWebContainerJs, type WebContainerJsOptions } from './js/webcontainer-js.js'
export type { ContainerOption as WebContainerOption } from './storage.js'
export { createWebContainerFs, type WebContainerFs, type WebContainerFsOptions } from './webcontainer-fs.js'
export { createWebContainerShell, type WebContainerShellOptions } from './webcontainer-shell.js'
