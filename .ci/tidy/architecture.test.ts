import { describe, expect, test } from 'vitest'
import {
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

/** The label in the picture for sources outside of rooms. */
const loose = 'files at the top'

/** Frames and single rooms that a frame may import, besides its own layers below. */
const below: Readonly<Record<string, readonly string[]>> = {
  bench: ['server', 'sim', 'engine'],
  server: ['engine'],
  sim: ['engine', 'server/terminal'],
  engine: [],
}

/** The layers of each frame from the top. Rooms of one layer do not import each other. */
type Layers = Readonly<Record<string, readonly (readonly string[])[]>>

/** The boxes of each subgraph: `run · world` in the subgraph `sim` is a layer of two rooms. */
function layersIn(picture: string): Layers {
  const layers = framesIn(picture).map(([frame, boxes]) => {
    const labels = [...boxes.matchAll(/\["(.+)"\]/g)].map(([, label = '']) => label.split(' · '))
    const roomOfLabel = (name: string): string => (name === loose ? frame : `${frame}/${name}`)
    return [frame, labels.map((names) => names.map(roomOfLabel))] as const
  })
  return Object.fromEntries(layers)
}

const framesIn = (picture: string): [frame: string, boxes: string][] =>
  [...picture.matchAll(/subgraph (\w+)\n([^]*?)\n *end\n/g)].map(([, frame = '', boxes = '']) => [
    frame,
    boxes,
  ])

/** The room of a source: `sim/run`. For a source outside of rooms, its folder: `sim`. */
function roomOf(path: string): string {
  return path.split('/').slice(0, -1).slice(0, 2).join('/')
}

const frameOf = (path: string): string => path.split('/')[0] ?? ''

/** All rooms that contain more than test code. */
function roomsOf(paths: readonly string[]): string[] {
  const sources = paths.filter((path) => /^(?:engine|server|sim|bench)\/.*\.tsx?$/.test(path))
  return [...new Set(sources.filter((path) => !isTestCode(path)).map(roomOf))].sort()
}

/** Returns the differences between the picture of rooms and the code. */
function faultsOfRooms(
  layers: Layers,
  imports: readonly Import[],
  paths: readonly string[],
): string[] {
  const all = Object.values(layers).flat()
  const shown = all.flat()
  const rooms = roomsOf(paths)
  const missing = rooms.filter((room) => !shown.includes(room))
  const extra = shown.filter((room, index) => !rooms.includes(room) || shown.indexOf(room) < index)
  const layerOf = (room: string): number => all.findIndex((layer) => layer.includes(room))
  const arrows = arrowsOf(imports, roomOf)
  const isAllowed = (from: string, to: string): boolean =>
    frameOf(from) === frameOf(to) ? layerOf(from) < layerOf(to) : isBelow(from, to)
  return [
    ...missing.map((room) => `${room} is not drawn`),
    ...extra.map((room) => `${room} is drawn twice, or does not exist`),
    ...arrows
      .filter(({ from, to }) => !missing.includes(from) && !missing.includes(to))
      .filter(({ from, to }) => !isAllowed(from, to))
      .map(({ imports: [first = ''] }) => `no arrows allow this import: ${first}`),
    ...Object.values(layers).flatMap((own) =>
      own
        .slice(1)
        .filter((lower, index) => {
          const upper = own[index] ?? []
          return !arrows.some(({ from, to }) => upper.includes(from) && lower.includes(to))
        })
        .map((lower) => `no import for the arrow to ${lower.join(' and ')}`),
    ),
    ...imports
      .filter(({ from }) => isTestCode(from) && from.includes('/'))
      .filter((each) => {
        const target = targetOf(each) ?? each.from
        return frameOf(each.from) !== frameOf(target) && !isBelow(each.from, roomOf(target))
      })
      .map(
        ({ place, specifier }) => `${place} imports ${specifier}, which is not in a folder below`,
      ),
  ]
}

/** Whether the frame of a path may import another room. */
function isBelow(from: string, room: string): boolean {
  return below[frameOf(from)]?.some((each) => each === room || each === frameOf(room)) === true
}

const files = repositoryFiles()
const paths = files.map(({ path }) => path)
const page = files.find(({ path }) => path === '.github/ARCHITECTURE.md')?.text ?? ''
const [, picture = ''] = /^## Rooms$[^]*?^```mermaid$([^]*?)^```$/m.exec(page) ?? []

/** Each text is one import, written as `sim/run/a.ts > sim/world/b.ts`. */
const importsFrom = (...texts: readonly string[]): Import[] =>
  texts.map((text) => {
    const [from = '', to = ''] = text.split(' > ')
    return { from, specifier: `${'../'.repeat(from.split('/').length - 1)}${to}`, place: from }
  })

test('the picture of the architecture page agrees with the imports', () => {
  const layers = layersIn(picture)
  expect(Object.keys(layers)).toEqual(Object.keys(below))
  const advice = 'update .github/ARCHITECTURE.md or the imports'
  expect(faultsOfRooms(layers, repositoryImports(), paths), advice).toEqual([])
})

test('the arrows of the picture lead from each layer to the next, and between frames', () => {
  const arrows = [...picture.matchAll(/^ *(\w+ --> \w+)$/gm)].map(([, arrow]) => arrow)
  const boxes = framesIn(picture).map(([, text]) => [...text.matchAll(/(\w+)\["/g)])
  const chains = boxes.flatMap((ids) =>
    ids.slice(1).map(([, id], index) => `${ids[index]?.[1]} --> ${id}`),
  )
  const [terminal] = /\w+(?=\["terminal"\])/.exec(picture) ?? []
  const frames = ['bench --> server', 'bench --> sim', 'server --> engine', 'sim --> engine']
  expect(arrows).toEqual([...chains, ...frames, `sim --> ${terminal}`])
})

describe('rooms', () => {
  const layers: Layers = layersIn(`
    subgraph sim
      top["files at the top"]
      runs["run · judge"]
      worlds["world"]
    end
    subgraph engine
      model["model"]
    end
`)
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
    faultsOfRooms(layers, importsFrom(...asShown, ...more), at)

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
    const twice = { ...layers, bench: [['engine/model']] }
    expect(faultsOfRooms(twice, importsFrom(...asShown), rooms)).toEqual([
      'engine/model is drawn twice, or does not exist',
    ])
    expect(faultsOfRooms(layers, importsFrom(...asShown.slice(1)), rooms)).toEqual([
      'no import for the arrow to sim/run and sim/judge',
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
