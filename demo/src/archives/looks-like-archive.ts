/** Whether a file that was dropped is taken for an archive; what it is, its first bytes tell. */
export const looksLikeArchive = (name: string): boolean => /\.(?:tar|tgz|tar\.gz|zip|toolport)$/i.test(name)
