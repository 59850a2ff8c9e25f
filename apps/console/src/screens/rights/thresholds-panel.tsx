import { type AnswerCountView, LIMITS, type RightsThresholdsBody } from '@autoposter/contracts';
import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useAnswerCounts, useSetThresholds, useThresholds } from '../../data/rights/use-rights';
import { THRESHOLDS_TEXT as TEXT } from '../../text/takedown.text';
import { ActionButton } from '../../ui/actions';
import { LoadState } from '../../ui/feedback';
import { Panel } from '../../ui/layout';
import { Box, Stack, TextField } from '../../ui/mui';

type Name = keyof RightsThresholdsBody;
type Rule = AnswerCountView['rule'];

const RANGES = LIMITS.rightsThresholds;
const NAMES = Object.keys(RANGES) as Name[];
/** The thresholds that decide by each rule; identical files have none. */
const OF_RULE: Record<Rule, Name[]> = {
  video: ['videoBlockShare', 'videoFlagShare', 'videoExcerptSeconds'],
  picture: ['pictureLeastAlike', 'pictureCorrelation'],
  sound: ['soundBitErrors', 'soundSeconds'],
  identical: [],
};

/** `null` unless the text is a number within the range. */
function parse(name: Name, text: string): number | null {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return value >= RANGES[name].min && value <= RANGES[name].max ? value : null;
}

/** How often administrators rejected the blocks and flags of a rule, in total and by measured value. */
function Rejections({ rule, counts }: { rule: Rule; counts: readonly AnswerCountView[] | undefined }) {
  if (counts === undefined) return null;
  const lines = (['blocked', 'flagged'] as const).flatMap((verdict) => {
    const rows = counts.filter((row) => row.rule === rule && row.verdict === verdict);
    const sum = (of: 'confirmed' | 'rejected') => rows.reduce((total, row) => total + row[of], 0);
    const whole = { confirmed: sum('confirmed'), rejected: sum('rejected') };
    if (whole.confirmed + whole.rejected === 0) return [];
    const bands = rows.flatMap(({ from, ...row }) => (from === null ? [] : [TEXT.band(rule, from, row)]));
    return [[TEXT.rejected[verdict](whole), ...bands].join(' · ')];
  });
  if (lines.length === 0) return <Box sx={{ color: 'text.secondary' }}>{TEXT.noAnswers}</Box>;
  return lines.map((line) => <div key={line}>{line}</div>);
}

function ThresholdsForm({ stored, counts }: { stored: RightsThresholdsBody; counts: readonly AnswerCountView[] | undefined }) {
  const [texts, setTexts] = useState(() => Object.fromEntries(NAMES.map((name) => [name, String(stored[name])])) as Record<Name, string>);
  const save = useSetThresholds();
  const values = Object.fromEntries(NAMES.map((name) => [name, parse(name, texts[name])])) as Record<Name, number | null>;
  const isOrdered = (values.videoFlagShare ?? 0) <= (values.videoBlockShare ?? 1);
  const isValid = isOrdered && NAMES.every((name) => values[name] !== null);
  const submit = () => void notifyResult(save.mutateAsync(values as RightsThresholdsBody), TEXT.saved, TEXT.failed);
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      {(Object.keys(OF_RULE) as Rule[]).map((rule) => (
        <Box key={rule} component="section" aria-label={TEXT.rules[rule]} sx={{ display: 'grid', gap: 3, fontSize: 13 }}>
          <Box component="h3" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
            {TEXT.rules[rule]}
          </Box>
          {OF_RULE[rule].length === 0 ? null : (
            <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'repeat(auto-fill, minmax(240px, 1fr))' }}>
              {OF_RULE[rule].map((name) => {
                const isWrong = values[name] === null || (name === 'videoFlagShare' && !isOrdered);
                return (
                  <TextField
                    key={name}
                    type="number"
                    label={TEXT.names[name]}
                    value={texts[name]}
                    error={isWrong}
                    helperText={isWrong && values[name] !== null ? TEXT.order : TEXT.range(RANGES[name])}
                    onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
                    slotProps={{ htmlInput: { min: RANGES[name].min, max: RANGES[name].max, step: 'any' } }}
                  />
                );
              })}
            </Box>
          )}
          <Rejections rule={rule} counts={counts} />
        </Box>
      ))}
      <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
        <ActionButton label={TEXT.save} variant="contained" disabled={!isValid} loading={save.isPending} onClick={submit} />
        <ActionButton
          label={TEXT.defaults}
          onClick={() => setTexts(Object.fromEntries(NAMES.map((name) => [name, String(RANGES[name].default)])) as Record<Name, string>)}
        />
      </Stack>
    </Box>
  );
}

/** What new decisions are made by, next to how often administrators rejected the decisions so far. */
export function ThresholdsPanel() {
  const thresholds = useThresholds();
  const counts = useAnswerCounts();
  return (
    <Panel title={TEXT.title} lead={TEXT.lead}>
      <LoadState query={thresholds} loading={{ rows: 2, height: 88, label: TEXT.loading }} error={TEXT.error} empty={false} />
      <LoadState query={counts} loading={{ rows: 1, label: TEXT.loadingAnswers }} error={TEXT.error} empty={false} />
      {thresholds.data === undefined ? null : (
        <ThresholdsForm key={JSON.stringify(thresholds.data)} stored={thresholds.data} counts={counts.data} />
      )}
    </Panel>
  );
}
