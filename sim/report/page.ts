/** The frame of a report: one file that needs nothing else and asks nobody for anything. */

import { createHash } from 'node:crypto'
import { html, trusted, type Content, type Html } from './html.ts'
import { baseStyle } from './style/index.ts'

type Section = {
  /** What a link to it names. */
  readonly id: string
  readonly title: string
  /** What there is to see, in a sentence. */
  readonly about?: Content
  readonly body: Content
}

export type Page = {
  readonly title: string
  /** Comes first, under the title: what the reader most wants to know. */
  readonly head: Content
  readonly sections: readonly Section[]
  readonly foot?: Content
  /** Beside the style that all reports share. */
  readonly style?: string
  /** Modules that make it more comfortable; it must be of use without them. */
  readonly scripts?: readonly string[]
}

/** The whole file. A policy in its head keeps it from fetching, and from running, anything else. */
export function pageText({ title, head, sections, foot, style = '', scripts = [] }: Page): string {
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
  const whole = html`<!doctype html>
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
        ${body}${scripts.map((script) => trusted(`<script type="module">${script}</script>`))}
      </body>
    </html>`
  return `${whole.text}\n`
}

function sectionOf({ id, title, about, body }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${about === undefined ? null : html`<p class="soft">${about}</p>`} ${body}
  </section>`
}

/** Nothing is fetched; only these very scripts run. */
function policyFor(scripts: readonly string[]): string {
  const hashes = scripts.map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  const run = hashes.length === 0 ? "'none'" : hashes.join(' ')
  return `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${run}`
}
