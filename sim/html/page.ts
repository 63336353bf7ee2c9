/** The frame of a report page: a single HTML file that loads nothing else. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html, trusted, type HtmlContent, type Html } from './html.ts'
import { baseStyle } from './style.ts'

export type Section = {
  /** The target of links to the section. */
  readonly id: string
  readonly title: string
  /** The content of the section, in one sentence. */
  readonly about?: HtmlContent
  /** Null: there is nothing to say, so the page has no such section. */
  readonly body: HtmlContent
}

export type Page = {
  readonly title: string
  /** The first content below the title: the most important information. */
  readonly head: HtmlContent
  readonly sections: readonly Section[]
  readonly foot?: HtmlContent
  /** CSS in addition to the style that all reports share. */
  readonly style?: string
  /** JavaScript modules that add comfort; the page must be readable without them. */
  readonly scripts?: readonly string[]
}

/**
 * Returns the complete HTML file. A content security policy in its head blocks all requests and all
 * other scripts.
 */
export function pageText({ title, head, foot, style = '', scripts = [], ...page }: Page): string {
  const sections = page.sections.filter((section) => section.body !== null)
  const body = html`
    <a class="skip" href="#main">Skip to the report</a>
    <header>
      <h1>${title}</h1>
      ${head}
      <nav aria-label="Sections">
        <ul>
          ${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}
        </ul>
      </nav>
    </header>
    <main id="main">${sections.map(sectionOf)}</main>
    ${foot === undefined ? null : html`<footer>${foot}</footer>`}
  `
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${policyFor(scripts)}" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        <style>
          ${trusted(baseStyle + style)}
        </style>
      </head>
      <body>
        ${body}${scripts.map((text) => trusted(`<script type="module">${text}</script>`))}
      </body>
    </html>`
  return `${document.text}\n`
}

function sectionOf({ id, title, about, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${about === undefined ? null : html`<p class="soft">${about}</p>`} ${body}
  </section>`
}

/** Allows no requests and only exactly these scripts, identified by their hashes. */
function policyFor(scripts: readonly string[]): string {
  const hashes = scripts.map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  const run = hashes.length === 0 ? "'none'" : hashes.join(' ')
  return `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${run}`
}

// The scripts of pages. They add comfort to a page that is readable without them.

/** Returns the compiled text of a script. */
export function script(name: 'timeline' | 'bars' | 'sort'): string {
  const file = new URL(`./browser/${name}.js`, import.meta.url)
  return readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
}
