export { createFetch, type FetchOptions } from './fetch.js'
