import { describe, expect, test } from 'vitest'
import {
  type Arrow,
  arrowsOf,
  cyclesIn,
  cycleText,
  type Import,
  repositoryImports,
  targetOf,
  importsOf,
  repositoryFiles,
  isTestCode,
  parse,
} from './repository.ts'

// Compares the picture in `.github/ARCHITECTURE.md` with the imports. A room is a folder directly
// below engine/, server/, sim/ or bench/, with all its contents.

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
function faultsOfRooms(
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

// Parses the subset of Mermaid that `.github/ARCHITECTURE.md` uses.

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

type Diagram = {
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
function diagramUnder(heading: string, markdown: string): Diagram {
  const section = markdown.split(/^(?=#+ )/m).find((text) => text.startsWith(`${heading}\n`))
  const [, text] = /^```mermaid\n([^]*?)^```$/m.exec(section ?? '') ?? []
  if (text === undefined) throw new Error(`there is no diagram under "${heading}"`)
  return diagramFrom(text)
}

/** Parses a diagram. Throws for a line that this parser does not know. */
function diagramFrom(text: string): Diagram {
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

const files = repositoryFiles()
const paths = files.map(({ path }) => path)
const page = files.find(({ path }) => path === '.github/ARCHITECTURE.md')?.text ?? ''

/** Each text is one import, written as `sim/run/a.ts > sim/world/b.ts`. */
const importsFrom = (...texts: readonly string[]): Import[] =>
  texts.map((text) => {
    const [from = '', to = ''] = text.split(' > ')
    return { from, specifier: `${'../'.repeat(from.split('/').length - 1)}${to}`, place: from }
  })

test('the picture of the architecture page agrees with the imports', () => {
  const diagram = diagramUnder('## Rooms', page)
  expect(diagram.boxes.length).toBeGreaterThan(20)
  expect(cyclesIn(diagram.arrows)).toEqual([])
  const advice = 'update .github/ARCHITECTURE.md or the imports'
  expect(faultsOfRooms(diagram, repositoryImports(), paths), advice).toEqual([])
})

describe('a diagram', () => {
  test('is read with its groups, boxes and arrows', () => {
    const text = `flowchart TD
      subgraph sim
        direction TB
        runs["run · world<br/>in simulated time"]
      end
      subgraph engine
        rules["rules"]
      end
      runs --> rules
      sim --> engine`
    expect(diagramFrom(text)).toEqual({
      groups: ['sim', 'engine'],
      boxes: [
        { id: 'runs', label: 'run · world', group: 'sim' },
        { id: 'rules', label: 'rules', group: 'engine' },
      ],
      arrows: [
        { from: 'runs', to: 'rules' },
        { from: 'sim', to: 'engine' },
      ],
    })
  })

  test('given an unknown line or an unknown box, reading it throws', () => {
    expect(() => diagramFrom('flowchart TD\na["a"] --> b["b"]')).toThrow('unknown syntax: a[')
    expect(() => diagramFrom('a["a"]\na --> b')).toThrow('leads to or from b: add a box')
    expect(() => diagramUnder('## Rooms', '## Others\n```mermaid\n```\n')).toThrow('no diagram')
  })
})

describe('rooms', () => {
  const diagram: Diagram = diagramFrom(`
    subgraph sim
      top["files at the top"]
      runs["run · judge"]
      worlds["world"]
    end
    subgraph engine
      model["model"]
    end
    top --> runs
    runs --> worlds
    sim --> engine`)
  const asShown = [
    'sim/cli.ts > sim/run/a.ts',
    'sim/run/a.ts > sim/world/a.ts',
    'sim/judge/a.ts > engine/model/a.ts',
  ]
  const rooms = [
    'sim/cli.ts',
    'sim/run/a.ts',
    'sim/judge/a.ts',
    'sim/world/a.ts',
    'engine/model/a.ts',
  ]
  const faults = (more: readonly string[], at: readonly string[] = rooms): string[] =>
    faultsOfRooms(diagram, importsFrom(...asShown, ...more), at)

  test('may import rooms further down the arrows; tests may import any room below their folder', () => {
    expect(faults(['sim/cli.ts > sim/world/a.ts', 'sim/world/a.ts > engine/model/a.ts'])).toEqual(
      [],
    )
    const tests = ['sim/world/a.test.ts > sim/run/a.ts', 'sim/testing/a.ts > engine/model/a.ts']
    expect(faults(tests)).toEqual([])
  })

  test.each([
    ['against the direction of an arrow', 'sim/world/a.ts > sim/run/a.ts'],
    ['from a room in the same box', 'sim/run/a.ts > sim/judge/a.ts'],
    ['from a folder above', 'engine/model/a.ts > sim/run/a.ts'],
    ['from a folder that is not drawn', 'sim/run/a.ts > .ci/tidy/a.ts'],
    ['from a folder above, in a test', 'engine/model/a.test.ts > sim/testing/a.ts'],
  ])('may not import %s', (_title, text) => {
    expect(faults([text])).toEqual([expect.stringContaining(text.split(' > ')[0] ?? '')])
  })

  test('must all be drawn once, and each arrow needs an import', () => {
    expect(faults([], [...rooms, 'sim/new/a.ts', 'sim/testing/a.ts'])).toEqual([
      'sim/new is not drawn',
    ])
    expect(faults([], rooms.slice(1))).toEqual(['sim is drawn twice, or does not exist'])
    const twice = { ...diagram, boxes: [...diagram.boxes, ...diagram.boxes.slice(-1)] }
    expect(faultsOfRooms(twice, importsFrom(...asShown), rooms)).toEqual([
      'engine/model is drawn twice, or does not exist',
    ])
    expect(faultsOfRooms(diagram, importsFrom(...asShown.slice(1)), rooms)).toEqual([
      'no import for the arrow from top to runs',
    ])
  })
})

/** The cycles between the folders of files that each import one other file. */
const cyclesOf = (imports: Readonly<Record<string, string>>): string[] => {
  const sources = Object.entries(imports).map(([path, to]) =>
    parse({ path, text: `\nimport type { A } from '${to}'` }),
  )
  return cyclesIn(arrowsOf(sources.flatMap(importsOf))).map(cycleText)
}

test('there are no import cycles between folders', () => {
  const arrows = arrowsOf(repositoryImports())
  expect(arrows.length).toBeGreaterThan(50)
  const advice = 'move the shared code into a separate folder below them'
  expect(cyclesIn(arrows).map(cycleText), advice).toEqual([])
})

test('given a cycle, even of type imports, its folders and imports are reported', () => {
  const cycle = { 'sim/a/1.ts': '../b/2.ts', 'sim/b/3.ts': '../c/4.ts', 'sim/c/5.ts': '../a/6.ts' }
  expect(cyclesOf(cycle)).toEqual([
    `sim/a -> sim/b -> sim/c -> sim/a
  sim/a/1.ts:2 imports sim/b/2.ts
  sim/b/3.ts:2 imports sim/c/4.ts
  sim/c/5.ts:2 imports sim/a/6.ts`,
  ])
})

test('given a folder and one inside it, they can form a cycle', () => {
  expect(cyclesOf({ 'sim/a/1.ts': './b/2.ts', 'sim/a/b/3.ts': '../4.ts' })[0]).toContain(
    'sim/a -> sim/a/b -> sim/a\n',
  )
})

test('given imports in one folder, of packages, or in one direction only, there is no cycle', () => {
  expect(cyclesOf({ 'sim/a/1.ts': './2.ts', 'sim/a/2.ts': './1.ts' })).toEqual([])
  expect(cyclesOf({ 'sim/a/1.ts': 'ajv', 'sim/b/1.ts': '../a/1.ts' })).toEqual([])
  expect(cyclesOf({ 'sim/a/1.ts': '../b/1.ts', 'sim/b/1.ts': '../c/1.ts' })).toEqual([])
})

test.each(['sim/b/3.test.ts', 'sim/b/3.contract.ts'])('%s may import in any direction', (path) => {
  expect(cyclesOf({ 'sim/a/1.ts': '../b/2.ts', [path]: '../a/1.ts' })).toEqual([])
})

test('a folder named testing may import in any direction', () => {
  expect(cyclesOf({ 'sim/a/1.ts': '../testing/2.ts', 'sim/testing/3.ts': '../a/1.ts' })).toEqual([])
})
