import { expect, test } from 'vitest'
import { imageTrouble, LARGEST_IMAGE } from './image.ts'

test.each([
  ['image/png', 'iVBORw0KGgo=', undefined],
  ['image/jpeg', 'AAAA', undefined],
  ['image/gif', 'AAA', undefined],
  ['image/webp', 'AA==', undefined],
  ['image/svg+xml', 'AAAA', 'type'],
  ['text/plain', 'AAAA', 'type'],
  ['image/png', '', 'data'],
  ['image/png', '=', 'data'],
  ['image/png', 'AAAAA', 'data'],
  ['image/png', 'AAA==', 'data'],
  ['image/png', 'AA AA', 'data'],
  ['image/png', 'data:image/png;base64,AAAA', 'data'],
  ['image/png', 'A'.repeat(LARGEST_IMAGE), undefined],
  ['image/png', 'A'.repeat(LARGEST_IMAGE + 4), 'size'],
])('%s of %.30s', (mediaType, data, trouble) => {
  expect(imageTrouble({ type: 'image', mediaType, data })).toBe(trouble)
})
