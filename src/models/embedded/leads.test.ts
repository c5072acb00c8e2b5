import { expect, test } from 'vitest'
import { isCorrection, withoutLead } from './leads.ts'
import { languageOf } from './sentences.ts'

test.each([
  ['I use vim', 'I use vim', false],
  ['By the way, I use vim', 'I use vim', false],
  ['ok thanks, and also I use vim', 'I use vim', false],
  ['I told you that I use vim', 'I use vim', false],
  ['no, I use vim', 'I use vim', true],
  ['No I use vim', 'I use vim', true],
  ['Wait, actually I use vim', 'I use vim', true],
  ['correction: I use vim', 'I use vim', true],
  ['from now on I use vim', 'I use vim', true],
  ['update the changelog', 'update the changelog', false],
  ['no tabs please', 'no tabs please', false],
  ['顺便说一下,我用 vim', '我用 vim', false],
  ['其实我用 vim', '我用 vim', true],
  ['實際上我用 vim', '我用 vim', true],
  ['更正:我用 vim', '我用 vim', true],
  ['不对,我用 vim', '我用 vim', true],
  ['不用 vim', '不用 vim', false],
])('%j tells %j (corrects: %s)', (sentence, said, corrects) => {
  expect(withoutLead(sentence, languageOf(sentence))).toEqual({ said, corrects })
})

test('“no” by itself announces a correction', () => {
  for (const sentence of ['No.', "that's wrong", 'Actually,', '不对。', '不是'])
    expect(isCorrection(sentence, languageOf(sentence))).toBe(true)
  for (const sentence of ['yes', 'no way around it', '不用'])
    expect(isCorrection(sentence, languageOf(sentence))).toBe(false)
})
