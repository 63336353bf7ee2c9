/**
 * What the owners accept, stated as JSON Schemas in this project's words: names, types and ranges of
 * the parts that are printed. Unknown names are refused. Each says where the facts were read.
 */

const wholeFrom = (minimum: number, maximum?: number): object => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
})

const closed = (properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

const queueParameters = {
  check_response_timeout_minutes: wholeFrom(0, 360),
  grouping_strategy: { enum: ['ALLGREEN', 'HEADGREEN'] },
  max_entries_to_build: wholeFrom(0, 100),
  max_entries_to_merge: wholeFrom(0, 100),
  merge_method: { enum: ['MERGE', 'SQUASH', 'REBASE'] },
  min_entries_to_merge: wholeFrom(0, 100),
  min_entries_to_merge_wait_minutes: wholeFrom(0, 360),
}

/**
 * The body of a ruleset with the rule merge_queue. Ranges: the schema of the resource in
 * integrations/terraform-provider-github at b6ce8c0687af3b301d6dc022db1aca45f3ad2b26, 2026-08-07.
 * That all seven parameters are required: GitHub's API description 2026-03-10.
 */
export const githubRuleset = closed(
  {
    name: { type: 'string', minLength: 1 },
    target: { enum: ['branch'] },
    enforcement: { enum: ['active', 'evaluate', 'disabled'] },
    conditions: closed(
      {
        ref_name: closed(
          {
            include: { type: 'array', items: { type: 'string' }, minItems: 1 },
            exclude: { type: 'array', items: { type: 'string' } },
          },
          ['include', 'exclude'],
        ),
      },
      ['ref_name'],
    ),
    rules: {
      type: 'array',
      minItems: 1,
      items: closed(
        {
          type: { enum: ['merge_queue'] },
          parameters: closed(queueParameters, Object.keys(queueParameters)),
        },
        ['type', 'parameters'],
      ),
    },
  },
  ['name', 'target', 'enforcement', 'conditions', 'rules'],
)

const batchSize = {
  anyOf: [
    wholeFrom(1, 128),
    closed({ min: wholeFrom(1, 128), max: wholeFrom(1, 128) }, ['min', 'max']),
  ],
}

/**
 * The parts of `.mergify.yml` that are printed: Mergifyio/docs,
 * public/mergify-configuration-schema.json at 905e495703b02b4af629a161e51537df54bbc879, 2026-08-21.
 */
export const mergifyFile = closed(
  {
    merge_queue: closed(
      {
        max_parallel_checks: wholeFrom(1, 128),
        skip_intermediate_results: { type: 'boolean' },
      },
      [],
    ),
    queue_rules: {
      type: 'array',
      maxItems: 50,
      items: closed(
        {
          name: { type: 'string', minLength: 1 },
          batch_size: batchSize,
          batch_max_wait_time: { type: 'string', pattern: '^\\d+ (?:seconds|minutes)$' },
        },
        ['name'],
      ),
    },
  },
  [],
)

/** The key of `bors.toml` that is printed: bors_toml.ex of bors-ng at ca72579, 2024-01-31. */
export const borsFile = closed({ max_batch_size: wholeFrom(1) }, [])

const windowChange = { enum: ['linear', 'exponential'] }

/** The attributes of a pipeline that are printed: documentation of Zuul, "Pipeline". */
export const zuulFile = {
  type: 'array',
  items: closed(
    {
      pipeline: closed(
        {
          name: { type: 'string' },
          manager: { enum: ['dependent'] },
          window: wholeFrom(0),
          'window-floor': wholeFrom(1),
          'window-ceiling': wholeFrom(1),
          'window-increase-type': windowChange,
          'window-increase-factor': wholeFrom(1),
          'window-decrease-type': windowChange,
          'window-decrease-factor': wholeFrom(1),
        },
        ['name', 'manager'],
      ),
    },
    ['pipeline'],
  ),
}

/** The attributes of a project that are printed: gitlab-org/gitlab !228371. */
export const gitlabProject = closed(
  {
    merge_pipelines_enabled: { type: 'boolean' },
    merge_trains_enabled: { type: 'boolean' },
    max_pipelines_per_merge_train: wholeFrom(1),
  },
  [],
)
