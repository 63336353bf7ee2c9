import { describe, expect, test } from 'vitest'
import { escaped, html, joined, trusted } from './html.ts'
import { pageText } from './page.ts'
import { card, cards, key, tiles } from './components.ts'

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

  test('a length of time in a tile stays in one line', () => {
    const note = 'median; 95 % below 1 h 27 min, 3 d 4 h at most, 2 daily runs of 5'
    const { text } = tiles([{ name: 'time in queue', value: '17 d 22 h', note }])
    const shown = text.replaceAll('\u00A0', '_')
    expect(shown).toContain('>17_d_22_h<')
    expect(shown).toContain('median; 95_% below 1_h_27_min, 3_d_4_h at most, 2 daily runs of 5<')
  })

  test('replaces control characters, which could end the page early', () => {
    expect(escaped('a\u0000b\u001Bc\nd')).toBe('a\u{FFFD}b\u{FFFD}c\nd')
  })
})

const page = pageText({
  title: 'a </title><script>alert(1)</script>',
  head: tiles([{ name: 'merged', value: '3', note: '60 %', tone: 'good' }]),
  sections: [
    {
      id: 'one',
      title: 'First & only',
      body: cards([
        card({
          title: 'What',
          body: key([{ color: 'testing', means: 'under test' }]),
          numbers: { head: ['what', { title: 'how many', leans: 'right' }], rows: [['a', 1]] },
        }),
      ]),
    },
  ],
  foot: html`the end`,
  scripts: ['document.title = "x"'],
})

test('a page carries its style and scripts, and forbids all others', () => {
  expect(page.startsWith('<!doctype html>')).toBe(true)
  expect(page).toMatch(/script-src &#39;sha256-[\w+/=]+&#39;"/)
  expect(page).toContain('default-src &#39;none&#39;')
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(page).not.toMatch(/(?:src|href)="(?!#|data:)/)
})

test('a page escapes its texts and names its sections', () => {
  expect(page).toContain('<h1>a &lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h1>')
  expect(page).toContain('<section id="one" aria-labelledby="one-title">')
  expect(page).toContain('<a href="#one">First &amp; only</a>')
})
