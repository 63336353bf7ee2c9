import { describe, expect, test } from 'vitest'
import { escaped, html, joined, trusted } from './html.ts'

const hostile = `</script><img src=x onerror="alert('1')">&amp;`

describe('html', () => {
  test('escapes every value, as text and in attributes', () => {
    const { text } = html`<b title="${hostile}">${hostile}</b>`
    const safe = '&lt;/script&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;'
    expect(text).toBe(`<b title="${safe}">${safe}</b>`)
  })

  test('keeps HTML unchanged, joins lists in order, and renders null and undefined as nothing', () => {
    const inner = html`<i>${1}</i>`
    expect(html`<p>${[inner, ' & ', trusted('<hr>')]}${null}${undefined}</p>`.text).toBe(
      '<p><i>1</i> &amp; <hr></p>',
    )
    expect(joined([inner, inner], ' & ').text).toBe('<i>1</i> &amp; <i>1</i>')
  })

  test('removes the indentation of the template', () => {
    const { text } = html`<ul>
      <li>a</li>
    </ul>`
    expect(text).toBe('<ul>\n<li>a</li>\n</ul>')
  })

  test('replaces control characters, which could end the page early', () => {
    expect(escaped('a\u0000b\u001Bc\nd')).toBe('a\u{FFFD}b\u{FFFD}c\nd')
  })
})
