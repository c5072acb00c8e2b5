import { expect, test } from 'vitest'
import { toMarkdown } from './markdown.ts'

const convert = (html: string) => toMarkdown(html, 'https://site.example/dir/page').text

test.each([
  ['headings', '<h1>One</h1><h3>Three</h3>', '# One\n\n### Three'],
  ['emphasis', '<p><b>bold</b> and <i>thin</i></p>', '**bold** and _thin_'],
  ['names as they are', '<p>read_file [x] 1. *</p>', 'read_file [x] 1. *'],
  ['a list', '<ul><li>a</li><li>b</li></ul>', '-   a\n-   b'],
  ['a link', '<a href="x.html">x</a>', '[x](https://site.example/dir/x.html)'],
  ['a link around blocks', '<a href="/x"><div>a</div><div>b</div></a>', '[a b](https://site.example/x)'],
  ['a link with brackets', '<a href="/x_(y)">x</a>', '[x](https://site.example/x_%28y%29)'],
  ['a link that runs', '<a href="javascript:alert(1)">x</a>', 'x'],
  ['an empty link', '<p>a<a href="/x"></a></p>', 'a'],
  ['an image', '<img src="i.png" alt="An  image">', '![An image](https://site.example/dir/i.png)'],
  ['an image within the page', '<img src="data:image/png;base64,AAAA" alt="dot">', 'dot'],
  ['code', '<p>use <code>a_b</code></p>', 'use `a_b`'],
  ['a code block', '<pre><code class="hljs language-ts">a\n  b\n</code></pre>', '```ts\na\n  b\n```'],
  ['a bare code block', '<pre>a <b>b</b>\n</pre>', '```\na b\n```'],
  ['a fence in code', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  [
    'a table',
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>x|y</td></tr></tbody></table>',
    '| A | B |\n| --- | --- |\n| 1 | x\\|y |',
  ],
  [
    'a table with blocks in it',
    '<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr><tr><td></td><td>d</td></tr></table>',
    '| a b | c |\n| --- | --- |\n|  | d |',
  ],
  [
    'a table for looks',
    '<table><tr><td><h2>T</h2><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>',
    '## T\n\n| a | b |\n| --- | --- |',
  ],
  ['cells without a table', '<td>a</td>', 'a'],
  [
    'scripts and styles',
    '<p>a</p><script>x<y</script><style>p{}</style><noscript>no</noscript><svg><text>s</text></svg>',
    'a',
  ],
  ['navigation', '<nav><a href="/">Home</a></nav><div role="navigation">more</div><p>a</p>', 'a'],
  ['comments', 'a<!-- secret -->b', 'ab'],
  [
    'what is hidden',
    '<p hidden>1</p><p aria-hidden="true">2</p><p style="color:red; DISPLAY : none">3</p><p style="visibility:hidden">4</p><template>5</template><p style="display:block">6</p>',
    '6',
  ],
  ['entities', '<p>&lt;b&gt; &amp; &eacute; &#x1F600;</p>', '<b> & é 😀'],
  ['broken markup', '<p>a<b>b<i>c</b>d</i><div></p>e<<f>', 'a**b_c_**_d_\n\ne<'],
  ['tags that never end', '<p>a</p><div class="x', 'a'],
  ['nothing', '', ''],
  ['lines', 'a<br>b', 'a\nb'],
])('%s', (_, html, markdown) => {
  expect(convert(html)).toBe(markdown)
})

test('the title is the first of the page itself, in one line', () => {
  expect(
    toMarkdown(
      '<svg><title>no</title></svg><title> A\n &amp; B </title><title>C</title>x',
      'https://a.example',
    ),
  ).toEqual({
    title: 'A & B',
    text: 'x',
  })
  expect(toMarkdown('<p>x', 'https://a.example').title).toBeUndefined()
})

test('a base in the page is what links are read against', () => {
  const html = '<head><base href="https://b.example/c/"></head><body><a href="d">e</a></body>'
  expect(convert(html)).toBe('[e](https://b.example/c/d)')
  expect(convert('<base href="javascript:x"><a href="d">e</a>')).toBe('[e](https://site.example/dir/d)')
})
