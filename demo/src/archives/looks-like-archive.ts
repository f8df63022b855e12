/** Whether the name of a dropped file suggests an archive. The import checks the file's first bytes. */
export const looksLikeArchive = (name: string): boolean => /\.(?:tar|tgz|tar\.gz|zip|toolport)$/i.test(name)
