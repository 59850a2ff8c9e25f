import type { SkippedPost } from '@autoposter/contracts';
import { notifyResult } from '../../app/notifications/notify-result';
import { useProcessAnyway } from '../../data/skipped-posts/use-skipped-posts';
import { SKIPPED_TEXT as TEXT } from '../../text/skipped-posts.text';
import { ActionButton } from '../../ui/actions';
import { type Column, DataTable } from '../../ui/data-table';
import { count, formatDateTime, titleText } from '../../ui/format';
import { Box, Link } from '../../ui/mui';
import { Tag } from '../../ui/status';

/** The server's text, else hours with one decimal, else N/A. */
export const postAge = ({ postAgeFormatted, postAgeHours }: Pick<SkippedPost, 'postAgeFormatted' | 'postAgeHours'>): string => {
  if (postAgeFormatted !== null && postAgeFormatted !== '') return postAgeFormatted;
  return postAgeHours === null ? TEXT.notAvailable : `${postAgeHours.toFixed(1)}h`;
};

function ProcessAnyway({ url, title }: { url: string; title: string }) {
  const send = useProcessAnyway();
  const label = send.isSuccess ? TEXT.inQueue : TEXT.anyway;
  return (
    <ActionButton
      small
      label={label}
      variant="text"
      loading={send.isPending}
      disabled={send.isSuccess}
      aria-label={`${label}: ${title}`}
      sx={{ ml: -2.5, fontSize: 12, color: 'accent.text' }}
      onClick={() => void notifyResult(send.mutateAsync(url), TEXT.taken(title), TEXT.error)}
    />
  );
}

function Post({ post: { originalUrl, redditData } }: { post: SkippedPost }) {
  const title = titleText(redditData.title, TEXT.untitled);
  const author = redditData.author === null ? null : `by ${redditData.author}`;
  return (
    <>
      <Link href={originalUrl} target="_blank" rel="noreferrer" sx={{ fontWeight: 560 }}>
        {title}
      </Link>
      <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{[author, redditData.postType].filter((part) => part !== null).join(' · ')}</Box>
      <ProcessAnyway url={originalUrl} title={title} />
    </>
  );
}

const columnsOf = (label: (reason: string) => string): readonly Column<SkippedPost>[] => [
  { name: 'Post', width: '30%', sx: { overflowWrap: 'anywhere' }, cell: (post) => <Post post={post} /> },
  { name: 'Subreddit', cell: ({ redditData: { subreddit } }) => (subreddit === null ? TEXT.notAvailable : `r/${subreddit}`) },
  { name: 'Skip Reason', cell: ({ skipReason }) => <Tag tone="orange">{label(skipReason)}</Tag> },
  {
    name: 'Details',
    width: '26%',
    sx: { overflowWrap: 'anywhere' },
    cell: ({ skipDetails: { additionalInfo, errorMessage } }) => (
      <>
        {additionalInfo}
        {errorMessage === null ? null : <Box sx={{ color: 'status.red.text' }}>{errorMessage}</Box>}
      </>
    ),
  },
  { name: 'Skipped At', sx: { whiteSpace: 'nowrap' }, cell: ({ skippedAt }) => formatDateTime(skippedAt) },
  { name: 'Post Age', sx: { whiteSpace: 'nowrap' }, cell: postAge },
  { name: 'Score', align: 'right', cell: ({ redditData }) => count(redditData.score ?? 0) },
];

export function SkippedTable({ posts, label }: { posts: readonly SkippedPost[]; label: (reason: string) => string }) {
  return <DataTable label={TEXT.title} columns={columnsOf(label)} rows={posts} keyOf={(post) => post._id} />;
}
