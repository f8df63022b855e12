import type { BackgroundFamily } from '../shell/background/family.js'

export const JS: BackgroundFamily = {
  kind: 'js',
  whose: 'JavaScript programs',
  title: 'background JavaScript session',
  starter: 'start_background_js',
  requires: ['js', 'js.spawn'],
}
