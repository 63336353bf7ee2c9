import { expect, test } from 'vitest'
import { html } from './html.ts'
import { pageText } from './page.ts'
import { card, cards, key, table, tiles } from './pieces.ts'

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
          numbers: table(['what', { title: 'how many', leans: 'right' }], [['a', 1]]),
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
