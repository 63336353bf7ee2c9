/** Parses the subset of Mermaid that `.github/ARCHITECTURE.md` uses. */

export type Box = {
  readonly id: string
  /** The first line of its text. The check ignores the text after `<br/>`. */
  readonly label: string
  /** The subgraph that contains it; null if none does. */
  readonly group: string | null
}

export type DiagramArrow = {
  /** The id of a box or of a subgraph, like `to`. */
  readonly from: string
  readonly to: string
}

export type Diagram = {
  /** The ids of the subgraphs. */
  readonly groups: readonly string[]
  readonly boxes: readonly Box[]
  readonly arrows: readonly DiagramArrow[]
}

const ignored = /^(?:flowchart \w+|direction \w+|)$/
const groupLine = /^subgraph (\w+)$/
const boxLine = /^(\w+)\["([^"]+)"\]$/
const arrowLine = /^(\w+) --> (\w+)$/

/** Returns the diagram under a heading of a Markdown text. Throws if it is missing or invalid. */
export function diagramUnder(heading: string, markdown: string): Diagram {
  const section = markdown.split(/^(?=#+ )/m).find((text) => text.startsWith(`${heading}\n`))
  const [, text] = /^```mermaid\n([^]*?)^```$/m.exec(section ?? '') ?? []
  if (text === undefined) throw new Error(`there is no diagram under "${heading}"`)
  return diagramFrom(text)
}

/** Parses a diagram. Throws for a line that this parser does not know. */
export function diagramFrom(text: string): Diagram {
  const groups: string[] = []
  const boxes: Box[] = []
  const arrows: DiagramArrow[] = []
  let group: string | null = null
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (ignored.test(line)) continue
    const [, opened] = groupLine.exec(line) ?? []
    const [, id, label] = boxLine.exec(line) ?? []
    const [, from, to] = arrowLine.exec(line) ?? []
    if (line === 'end') group = null
    else if (opened !== undefined) groups.push((group = opened))
    else if (id !== undefined && label !== undefined) {
      boxes.push({ id, label: label.replace(/<br\/>.*/, ''), group })
    } else if (from !== undefined && to !== undefined) arrows.push({ from, to })
    else throw new Error(`the diagram has a line of unknown syntax: ${line}`)
  }
  const known = new Set([...groups, ...boxes.map(({ id }) => id)])
  const unknown = arrows.flatMap(({ from, to }) => [from, to]).find((id) => !known.has(id))
  if (unknown !== undefined)
    throw new Error(`an arrow of the diagram leads to or from ${unknown}: add a box`)
  return { groups, boxes, arrows }
}
