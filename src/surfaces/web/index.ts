export { openBrowser } from './open-browser.ts'
export { openPage, type Page } from './page.ts'
