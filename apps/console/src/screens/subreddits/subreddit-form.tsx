import {
  type CreateSubredditBody,
  DEFAULT_AUTO_PROCESS_STAGE,
  DEFAULT_MEDIA_LAYOUT,
  DEFAULT_SUBREDDIT_FILTERS,
  FULL_AUTOMATION,
  LIMITS,
  MEDIA_LAYOUTS,
  TIME_PERIODS,
} from '@autoposter/contracts';
import { type Control, Controller, type FieldError, type Path, useForm, type UseFormRegisterReturn } from 'react-hook-form';
import { errorText } from '../../data/http/client';
import { useAutoProcessStages, useCreateSubreddit, useSubreddits } from '../../data/subreddits/use-subreddits';
import { SUBREDDITS_TEXT as TEXT } from '../../text/subreddits.text';
import { ActionButton } from '../../ui/actions';
import { capitalised, plural } from '../../ui/format';
import { MessageBar } from '../../ui/feedback';
import { Panel } from '../../ui/layout';
import { CheckboxField, SelectField } from '../../ui/fields';
import { bareName, isTaken, nameProblem } from './subreddit-name';
import { Box, Stack, TextField } from '../../ui/mui';

interface Range {
  min: number;
  max?: number;
}

const whole = ({ min, max }: Range) => ({
  valueAsNumber: true as const,
  validate: (value: unknown) => Number.isInteger(value) && Number(value) >= min && (max === undefined || Number(value) <= max),
});

const numberField = (registered: UseFormRegisterReturn, { min, max }: Range, problem: FieldError | undefined) => {
  const range = max === undefined ? `At least ${min}` : `${min} to ${max}`;
  return {
    ...registered,
    type: 'number',
    required: true,
    error: problem !== undefined,
    helperText: problem === undefined ? range : `Please enter a whole number: ${range.toLowerCase()}`,
    slotProps: { htmlInput: { min, ...(max === undefined ? {} : { max }), inputMode: 'numeric' as const } },
  };
};

function CheckField({ control, name, label }: { control: Control<CreateSubredditBody>; name: Path<CreateSubredditBody>; label: string }) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => <CheckboxField label={label} checked={field.value === true} onBlur={field.onBlur} onChange={field.onChange} />}
    />
  );
}

const DAY_MINUTES = 1440;
const { intervalMinutes } = LIMITS.subreddit;

/** "About 24 runs a day, up to 2,400 posts."; null while a number is missing or out of range. */
export function yieldText(interval: number, posts: number): string | null {
  if (!(interval >= intervalMinutes.min && interval <= intervalMinutes.max) || !(posts >= 1)) return null;
  const runs = Math.max(1, Math.round(DAY_MINUTES / interval));
  return TEXT.yield(plural(runs, 'run'), plural(runs * posts, 'post'));
}

function YieldEstimate({ interval, posts }: { interval: number; posts: number }) {
  return (
    <Box role="status" sx={{ fontSize: 13, color: 'text.secondary', minHeight: 20 }}>
      {yieldText(interval, posts)}
    </Box>
  );
}

const limits = LIMITS.subreddit;

const START: CreateSubredditBody = {
  name: '',
  interval: limits.intervalMinutes.default,
  postsToFetch: limits.postsToFetch.default,
  timePeriod: 'day',
  autoProcessStage: DEFAULT_AUTO_PROCESS_STAGE,
  mediaLayout: DEFAULT_MEDIA_LAYOUT,
  needsPermission: false,
  filters: DEFAULT_SUBREDDIT_FILTERS,
};

const CHECKS = [
  ['filters.allowNSFW', 'Allow NSFW'],
  ['filters.allowVideos', 'Allow videos'],
  ['filters.allowImages', 'Allow images'],
  ['filters.allowGalleries', 'Allow galleries'],
  ['filters.excludeStickied', 'Exclude stickied'],
  ['needsPermission', TEXT.needsPermission],
] as const;

/** Adds a subreddit. The limits are those of the server's schema. */
export function SubredditForm({ onDone }: { onDone: () => void }) {
  const create = useCreateSubreddit();
  const stages = useAutoProcessStages().data ?? [];
  const names = (useSubreddits().data ?? []).map(({ name }) => name);
  const form = useForm<CreateSubredditBody>({ defaultValues: START });
  const { errors } = form.formState;
  const stage = form.watch('autoProcessStage');
  const name = form.register('name', { validate: (text) => (isTaken(text, names) ? TEXT.taken(bareName(text)) : nameProblem(text)) });
  const submit = form.handleSubmit((body) => create.mutate({ ...body, name: bareName(body.name) }, { onSuccess: onDone }));
  return (
    <Panel title={TEXT.add}>
      <Stack component="form" noValidate onSubmit={(event) => void submit(event)} sx={{ gap: 5 }}>
        <Box
          sx={{
            display: 'grid',
            gap: 4,
            gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' },
          }}
        >
          <TextField
            label="Name"
            required
            autoFocus
            placeholder="EarthPorn"
            error={errors.name !== undefined}
            helperText={errors.name?.message ?? TEXT.nameHelp}
            {...name}
            onBlur={(event) => {
              form.setValue('name', bareName(event.target.value), { shouldValidate: event.target.value.trim() !== '' });
              void name.onBlur(event);
            }}
          />
          <TextField
            label="Interval (minutes)"
            {...numberField(form.register('interval', whole(limits.intervalMinutes)), limits.intervalMinutes, errors.interval)}
          />
          <TextField
            label="Posts to fetch"
            {...numberField(form.register('postsToFetch', whole(limits.postsToFetch)), limits.postsToFetch, errors.postsToFetch)}
          />
          <SelectField
            label="Time period"
            value={form.watch('timePeriod') ?? ''}
            options={TIME_PERIODS.map((period) => [period, capitalised(period)])}
            onChange={(period) => form.setValue('timePeriod', period as CreateSubredditBody['timePeriod'])}
          />
          <TextField
            label="Min score"
            {...numberField(
              form.register('filters.minScore', whole({ min: limits.minScore.min })),
              { min: limits.minScore.min },
              errors.filters?.minScore,
            )}
          />
          <TextField
            label="Max age (hours)"
            {...numberField(form.register('filters.maxAge', whole(limits.maxAgeHours)), limits.maxAgeHours, errors.filters?.maxAge)}
          />
          <SelectField
            label="Fit to 9:16"
            value={form.watch('mediaLayout') ?? ''}
            options={MEDIA_LAYOUTS.map((layout) => [layout, TEXT.layouts[layout]])}
            onChange={(layout) => form.setValue('mediaLayout', layout as CreateSubredditBody['mediaLayout'])}
          />
          <Box sx={{ gridColumn: { sm: 'span 2' } }}>
            <SelectField
              label="Auto-processing stage"
              value={stage ?? ''}
              options={stages.map((option) => [option.value, option.label])}
              helperText={stages.find((option) => option.value === stage)?.description}
              onChange={(value) => form.setValue('autoProcessStage', value as CreateSubredditBody['autoProcessStage'])}
            />
          </Box>
        </Box>
        <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 5 }}>
          {CHECKS.map(([name, label]) => (
            <CheckField key={name} control={form.control} name={name} label={label} />
          ))}
        </Stack>
        <YieldEstimate interval={form.watch('interval')} posts={form.watch('postsToFetch')} />
        {stage === FULL_AUTOMATION.value ? <MessageBar tone="orange">{TEXT.automation}</MessageBar> : null}
        {create.isError ? <MessageBar tone="red">{TEXT.error(errorText(create.error))}</MessageBar> : null}
        <Box>
          <ActionButton label={TEXT.add} type="submit" variant="contained" loading={create.isPending} />
        </Box>
      </Stack>
    </Panel>
  );
}
