export { type News, NewsBox } from './news-box.ts'
