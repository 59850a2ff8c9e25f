import {
  FULL_AUTOMATION,
  DEFAULT_AUTO_PROCESS_STAGE,
  DEFAULT_SUBREDDIT_FILTERS,
  LIMITS,
  TIME_PERIODS,
  type CreateSubredditBody,
} from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useForm } from 'react-hook-form';
import { errorText } from '../../../data/http/client';
import { useCreateSubreddit, useAutoProcessStages, useSubreddits } from '../../../data/subreddits/use-subreddits';
import { SUBREDDITS_TEXT as TEXT } from '../../../text/subreddits.text';
import { SelectField } from '../../../ui/select-field';
import { capitalised } from '../../../ui/format';
import { MessageBar } from '../../../ui/message-bar';
import { Panel } from '../../../ui/panel';
import { CheckField, numberField, whole } from './form-fields';
import { bareName, isTaken, nameProblem } from './subreddit-name';
import { Yield } from './yield';

const limits = LIMITS.subreddit;

const START: CreateSubredditBody = {
  name: '',
  interval: limits.intervalMinutes.default,
  postsToFetch: limits.postsToFetch.default,
  timePeriod: 'day',
  autoProcessStage: DEFAULT_AUTO_PROCESS_STAGE,
  filters: DEFAULT_SUBREDDIT_FILTERS,
};

const CHECKS = [
  ['filters.allowNSFW', 'Allow NSFW'],
  ['filters.allowVideos', 'Allow videos'],
  ['filters.allowImages', 'Allow images'],
  ['filters.allowGalleries', 'Allow galleries'],
  ['filters.excludeStickied', 'Exclude stickied'],
] as const;

/** Adds a subreddit; the rules are those that the server checks. */
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
        <Yield interval={form.watch('interval')} posts={form.watch('postsToFetch')} />
        {stage === FULL_AUTOMATION.value ? <MessageBar tone="orange">{TEXT.automation}</MessageBar> : null}
        {create.isError ? <MessageBar tone="red">{TEXT.error(errorText(create.error))}</MessageBar> : null}
        <Box>
          <Button type="submit" variant="contained" loading={create.isPending}>
            {TEXT.add}
          </Button>
        </Box>
      </Stack>
    </Panel>
  );
}
