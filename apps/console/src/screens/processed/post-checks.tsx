import type { PostCheck } from '@autoposter/contracts';
import { PROCESSED_TEXT } from '../../text/processed.text';
import { formatDateTime } from '../../ui/format';
import { Facts } from '../../ui/layout';
import { Box } from '../../ui/mui';
import { Section } from './item-sections';

const TEXT = PROCESSED_TEXT.checks;

/** What a check found, and whether an administrator should know. */
function finding({ kind, dueAt, doneAt, failure, differences, metrics, matches }: PostCheck): { text: string; isProblem: boolean } {
  if (failure !== null) return { text: failure, isProblem: true };
  // the copyright check is repeated, so that it has a result before it is done
  if (kind === 'copyright' && matches !== undefined) {
    const isProblem = matches.length > 0;
    return { text: isProblem ? TEXT.matches(matches) : TEXT.noMatch, isProblem };
  }
  if (doneAt === null) return { text: TEXT.due(formatDateTime(dueAt)), isProblem: false };
  if (kind === 'first_comment') return { text: TEXT.posted, isProblem: false };
  if (kind === 'read_back') {
    const differ = (differences ?? []).map((name) => TEXT.differences[name]);
    return { text: differ.length === 0 ? TEXT.equal : differ.join(', '), isProblem: differ.length > 0 };
  }
  const numbers = Object.entries(metrics ?? {}).map(([name, value]) => TEXT.metric(name, value));
  return { text: numbers.length === 0 ? TEXT.noMetrics : numbers.join(' · '), isProblem: false };
}

/** Comparison, first comment, insights and copyright check of a published post. */
export function PostChecks({ checks }: { checks: readonly PostCheck[] }) {
  return (
    <Section title={TEXT.title}>
      <Facts
        facts={checks.map((check) => {
          const { text, isProblem } = finding(check);
          return [
            TEXT.kinds[check.kind],
            <Box key={check.kind} sx={isProblem ? { color: 'status.red.text' } : {}}>
              {text}
            </Box>,
          ] as const;
        })}
      />
    </Section>
  );
}
