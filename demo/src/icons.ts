const SVG = 'http://www.w3.org/2000/svg'

const PATHS = {
  chevron: ['M6 3.5 10.5 8 6 12.5'],
  dir: ['M1.75 12.25v-8.5h4.2l1.6 1.75h6.7v6.75z'],
  file: ['M4 1.75h5l3.25 3.25v9.25H4z', 'M8.75 2v3.25H12'],
  link: ['M6.5 9.5 9.5 6.5', 'M7.5 4.5 9 3a2.8 2.8 0 0 1 4 4l-1.5 1.5', 'M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5'],
  copy: ['M5.75 5.75h7.5v7.5h-7.5z', 'M10.25 5.5V2.75h-7.5v7.5H5.5'],
  check: ['M3 8.5 6.5 12 13 4.5'],
  cross: ['M4 4l8 8', 'M12 4l-8 8'],
  plus: ['M8 3v10', 'M3 8h10'],
  sun: [
    'M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z',
    'M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M13 3l-1.2 1.2M4.2 11.8 3 13',
  ],
  moon: ['M13.25 9.6A5.6 5.6 0 0 1 6.4 2.75a5.6 5.6 0 1 0 6.85 6.85z'],
  folder: ['M1.75 12.75v-9.5h4.2l1.6 1.75h6.7v1.5', 'M1.75 12.75 3.6 6.9h11.2l-1.8 5.85z'],
  reset: ['M3 8a5 5 0 1 0 1.6-3.7', 'M2.6 2.2v3h3'],
  collapse: ['M5 6l3-3 3 3', 'M5 10l3 3 3-3'],
  terminal: ['M1.75 2.75h12.5v10.5H1.75z', 'M4.5 6 6.75 8 4.5 10', 'M8.25 10.25h3'],
  clear: ['M3 4.5h10M3 8h6M3 11.5h3', 'M10.5 9.5l3.5 3.5M14 9.5 10.5 13'],
  eye: ['M1.5 8S4 3.75 8 3.75 14.5 8 14.5 8 12 12.25 8 12.25 1.5 8 1.5 8z', 'M8 6.25a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z'],
  save: ['M2.75 2.75h8.5l2 2v8.5H2.75z', 'M5 2.75v3.5h5v-3.5', 'M4.75 13.25V9h6.5v4.25'],
  diff: ['M8 2.5v6M5 5.5h6', 'M5 12.5h6'],
  newFile: ['M9 14.25H3.75V1.75h4.5l3.25 3.25v2.5', 'M8 2v3.25h3.25', 'M12 10v4.5M9.75 12.25h4.5'],
  newFolder: ['M8.5 12.25H1.75v-8.5h4.2l1.6 1.75h6.7v2.75', 'M12 10v4.5M9.75 12.25h4.5'],
  rename: ['M2.5 13.5l.75-3 7.5-7.5 2.25 2.25-7.5 7.5z', 'M9.25 4.5l2.25 2.25'],
  move: ['M1.75 12.25v-8.5h4.2l1.6 1.75h6.7v6.75z', 'M5.5 9h5M8.5 7l2 2-2 2'],
  trash: ['M2.75 4.25h10.5', 'M6 4V2.5h4V4', 'M4 4.5l.6 9h6.8l.6-9', 'M6.75 7v4M9.25 7v4'],
  search: ['M7 2.25a4.75 4.75 0 1 1 0 9.5 4.75 4.75 0 0 1 0-9.5z', 'M10.5 10.5 14 14'],
  filter: ['M2.5 4h11M4.75 8h6.5M6.75 12h2.5'],
  branch: [
    'M4.5 5.5v5',
    'M4.5 2a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z',
    'M4.5 10.5a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z',
    'M11.5 3a1.75 1.75 0 1 1 0 3.5 1.75 1.75 0 0 1 0-3.5z',
    'M11.5 6.5c0 2.5-2 3-7 4',
  ],
  run: ['M4.5 2.75 12.5 8l-8 5.25z'],
  code: ['M5.5 4.5 2 8l3.5 3.5', 'M10.5 4.5 14 8l-3.5 3.5'],
  expand: ['M9.5 2.75h3.75V6.5', 'M13 3 9 7', 'M6.5 13.25H2.75V9.5', 'M3 13l4-4'],
  download: ['M8 2.5v7.5M5 7.25l3 3 3-3', 'M2.75 13.25h10.5'],
} as const

export type IconName = keyof typeof PATHS

/** A 16-unit line icon; decoration only, so hidden from screen readers. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('class', `icon icon-${name}`)
  svg.setAttribute('aria-hidden', 'true')
  for (const d of PATHS[name]) {
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('d', d)
    svg.appendChild(path)
  }
  return svg
}

/** The product logo: a socket. */
export function mark(): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 32 32')
  svg.setAttribute('class', 'mark')
  svg.setAttribute('aria-hidden', 'true')
  for (const [kind, d] of [
    ['mark-plate', 'M9 2h14a7 7 0 0 1 7 7v14a7 7 0 0 1-7 7H9a7 7 0 0 1-7-7V9a7 7 0 0 1 7-7z'],
    ['mark-slot', 'M10 8.5h2.5v7H10zM19.5 8.5H22v7h-2.5zM16 19a3 3 0 0 1 3 3v1.5h-6V22a3 3 0 0 1 3-3z'],
  ] as const) {
    const path = document.createElementNS(SVG, 'path')
    path.setAttribute('class', kind)
    path.setAttribute('d', d)
    svg.appendChild(path)
  }
  return svg
}
