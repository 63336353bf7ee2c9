/**
 * Compares the picture in `.github/ARCHITECTURE.md` with the imports. A room is a folder directly
 * below engine/, server/, sim/ or bench/, with all its contents.
 */

import { type Arrow, arrowsOf } from './cycles.ts'
import { type Import, targetOf } from './imports.ts'
import { isTestCode } from './source.ts'

/** The label in a diagram for sources outside of rooms. */
const loose = 'files at the top'

/** The room of a source: `sim/run`. For a source outside of rooms, its folder: `sim`. */
function roomOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, 2).join('/')
}

/** All rooms that contain more than test code. */
function roomsOf(paths: readonly string[]): string[] {
  const sources = paths.filter((path) => /^(?:engine|server|sim|bench)\/.*\.tsx?$/.test(path))
  return [...new Set(sources.filter((path) => !isTestCode(path)).map(roomOf))].sort()
}

/** The rooms of a box: `run · world` in the subgraph `sim` are two rooms. */
function roomsIn({ label, group }: Box): string[] {
  if (group === null) return []
  return label.split(' · ').map((name) => (name === loose ? group : `${group}/${name}`))
}

/** Returns the differences between the diagram of rooms and the code. */
export function faultsOfRooms(
  diagram: Diagram,
  imports: readonly Import[],
  paths: readonly string[],
): string[] {
  const shown = diagram.boxes.flatMap(roomsIn)
  const rooms = roomsOf(paths)
  const missing = rooms.filter((room) => !shown.includes(room))
  const extra = shown.filter((room, index) => !rooms.includes(room) || shown.indexOf(room) < index)
  const arrows = arrowsOf(imports, roomOf)
  const allowed = reachableIn(diagram)
  return [
    ...missing.map((room) => `${room} is not drawn`),
    ...extra.map((room) => `${room} is drawn twice, or does not exist`),
    ...arrows
      .filter(({ from, to }) => !missing.includes(from) && !missing.includes(to))
      .filter(({ from, to }) => !allowed.has(`${from} ${to}`))
      .map(({ imports: [first = ''] }) => `no arrows allow this import: ${first}`),
    ...diagram.arrows
      .filter((arrow) => !hasImport(diagram, arrow, arrows))
      .map(({ from, to }) => `no import for the arrow from ${from} to ${to}`),
    ...faultsOfTests(diagram, imports),
  ]
}

/** Tests may import any file of their own top-level folder, and of the folders and single rooms below it. */
function faultsOfTests(diagram: Diagram, imports: readonly Import[]): string[] {
  const { groups, arrows } = diagram
  const below = new Map(
    groups.map((group) => {
      const reached = [...reachedFrom(group, (id) => endsOf(arrows, id))]
      return [group, new Set([...reached, ...reached.flatMap((id) => roomsAt(diagram, id))])]
    }),
  )
  return imports
    .filter(({ from }) => isTestCode(from) && from.includes('/'))
    .filter((each) => {
      const target = targetOf(each) ?? each.from
      const [from = '', to = ''] = [each.from, target].map((path) => path.split('/')[0])
      const reached = below.get(from)
      return from !== to && reached?.has(to) !== true && reached?.has(roomOf(target)) !== true
    })
    .map(({ place, specifier }) => `${place} imports ${specifier}, which is not in a folder below`)
}

/**
 * Pairs of rooms, `sim/run sim/world`: the second can be reached from the first along the arrows.
 */
function reachableIn(diagram: Diagram): Set<string> {
  const { boxes, arrows } = diagram
  const below = ({ id, group }: Box): Box[] =>
    [...endsOf(arrows, id), ...endsOf(arrows, group)].flatMap((end) => boxesAt(diagram, end))
  const pairs = boxes.flatMap((box) =>
    [...reachedFrom(box, below)].flatMap((reached) =>
      roomsIn(box).flatMap((from) => roomsIn(reached).map((to) => `${from} ${to}`)),
    ),
  )
  return new Set(pairs)
}

function endsOf(arrows: readonly DiagramArrow[], id: string | null): string[] {
  return arrows.filter(({ from }) => from === id).map(({ to }) => to)
}

/** Everything that can be reached from `start` in one or more steps. */
function reachedFrom<T>(start: T, next: (from: T) => readonly T[]): Set<T> {
  const reached = new Set(next(start))
  for (const each of reached) {
    for (const further of next(each)) reached.add(further)
  }
  return reached
}

/** The box with this id, or all boxes of the subgraph with this id. */
function boxesAt({ boxes }: Diagram, id: string): Box[] {
  return boxes.filter((box) => box.id === id || box.group === id)
}

function roomsAt(diagram: Diagram, id: string): string[] {
  return boxesAt(diagram, id).flatMap(roomsIn)
}

/** True if a room at the start of the arrow imports a room at its end. */
function hasImport(
  diagram: Diagram,
  { from, to }: DiagramArrow,
  arrows: readonly Arrow[],
): boolean {
  const [sources, targets] = [from, to].map((id) => roomsAt(diagram, id))
  return arrows.some((arrow) => sources?.includes(arrow.from) && targets?.includes(arrow.to))
}

/** Parses the subset of Mermaid that `.github/ARCHITECTURE.md` uses. */
type Box = {
  readonly id: string
  /** The first line of its text. The check ignores the text after `<br/>`. */
  readonly label: string
  /** The subgraph that contains it; null if none does. */
  readonly group: string | null
}

type DiagramArrow = {
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
