import { expect, test } from 'vitest'
import { plainText } from './plain-text.ts'

test.each([
  ['<p>a</p><p>b <b>c</b>d</p>', 'a\n\nb cd'],
  ['a &lt;b&gt; &amp;amp; &#65;&#x42; &nope; &#0; &#9999999;', 'a <b> &amp; AB &nope; &#0; &#9999999;'],
  ['<script>if (a<b) {}</script>x<style>p{}</style>y', 'x\n\ny'],
  ['<SCRIPT>x</ScRiPt >y', 'y'],
  ['x<script>never ends', 'x'],
  ['<nav>menu</nav>x', 'x'],
  ['<nav>never ends', 'never ends'],
  ['<a title="x>y" href=\'>\'>z</a>', 'z'],
  ['<a title=x"y>z</a>', 'z'],
  ['a<!-- x > y -->b<!doctype html>c<?php d ?>e', 'abce'],
  ['a<!-- never ends', 'a'],
  ['1 < 2 and 3 <4', '1 < 2 and 3 <4'],
  ['a < b', 'a < b'],
  ['a<', 'a<'],
  ['a</', 'a'],
  ['a<b', 'a'],
  ['', ''],
])('%s', (html, text) => {
  expect(plainText(html).text).toBe(text)
})

test('the title is apart', () => {
  expect(plainText('<title>A &amp;\n B</title>x')).toEqual({ title: 'A & B', text: 'x' })
  expect(plainText('<title>x').title).toBeUndefined()
})

test.each([
  ['tags opened', '<'],
  ['elements', '<b>x'],
  ['unclosed names', '<nav '],
  ['unclosed navs', '<nav>'],
  ['unclosed scripts', '<script>'],
  ['titles', '<title>'],
  ['quotes', '<a b="'],
  ['crossed quotes', '<a b="\''],
  ['equal signs', '<a ='],
  ['comments', '<!--'],
  ['questions', '<?'],
  ['ends', '</'],
  ['spaces', '<a       '],
  ['entities', '&#'],
])('5 MB of %s take no longer than they should', (_, piece) => {
  const began = performance.now()
  plainText(piece.repeat(5_000_000 / piece.length))
  expect(performance.now() - began).toBeLessThan(30_000) // what is not linear takes hours
})
