import type { SkippedPost } from '@autoposter/contracts';
import { errorText } from '../../data/http/client';
import { useProcessAnyway } from '../../data/skipped-posts/use-skipped-posts';
import { SKIPPED_TEXT, SKIPPED_TEXT as TEXT } from '../../text/skipped-posts.text';
import { type Column, DataTable } from '../../ui/data-table';
import { count, formatDateTime } from '../../ui/format';
import { Box, Button, Link, TableCell } from '../../ui/mui';
import { notify } from '../../ui/notifications';
import { Tag } from '../../ui/status';

/** The server's text, else hours with one decimal, else N/A. */
export const postAge = ({ postAgeFormatted, postAgeHours }: Pick<SkippedPost, 'postAgeFormatted' | 'postAgeHours'>): string => {
  if (postAgeFormatted !== null && postAgeFormatted !== '') return postAgeFormatted;
  return postAgeHours === null ? SKIPPED_TEXT.notAvailable : `${postAgeHours.toFixed(1)}h`;
};

const COLUMNS: readonly Column[] = [
  { name: 'Post', width: '30%' },
  { name: 'Subreddit' },
  { name: 'Skip Reason' },
  { name: 'Details', width: '26%' },
  { name: 'Skipped At' },
  { name: 'Post Age' },
  { name: 'Score', align: 'right' },
];

function ProcessAnyway({ url, title }: { url: string; title: string }) {
  const send = useProcessAnyway();
  const label = send.isSuccess ? TEXT.inQueue : TEXT.anyway;
  return (
    <Button
      size="small"
      variant="text"
      loading={send.isPending}
      disabled={send.isSuccess}
      aria-label={`${label}: ${title}`}
      sx={{ ml: -2.5, fontSize: 12, color: 'accent.text' }}
      onClick={() =>
        void send.mutateAsync(url).then(
          () => notify.success(TEXT.taken(title)),
          (error: unknown) => notify.failure(TEXT.error(errorText(error))),
        )
      }
    >
      {label}
    </Button>
  );
}

function Row({ post, label }: { post: SkippedPost; label: string }) {
  const { redditData, skipDetails } = post;
  const title = redditData.title === null || redditData.title === '' ? TEXT.untitled : redditData.title;
  return (
    <>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        <Link href={post.originalUrl} target="_blank" rel="noreferrer" sx={{ fontWeight: 560 }}>
          {title}
        </Link>
        <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
          {[redditData.author === null ? null : `by ${redditData.author}`, redditData.postType].filter((part) => part !== null).join(' · ')}
        </Box>
        <ProcessAnyway url={post.originalUrl} title={title} />
      </TableCell>
      <TableCell>{redditData.subreddit === null ? TEXT.notAvailable : `r/${redditData.subreddit}`}</TableCell>
      <TableCell>
        <Tag tone="orange">{label}</Tag>
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        {skipDetails.additionalInfo}
        {skipDetails.errorMessage === null ? null : <Box sx={{ color: 'status.red.text' }}>{skipDetails.errorMessage}</Box>}
      </TableCell>
      <TableCell className="tabular" sx={{ whiteSpace: 'nowrap' }}>
        {formatDateTime(post.skippedAt)}
      </TableCell>
      <TableCell className="tabular" sx={{ whiteSpace: 'nowrap' }}>
        {postAge(post)}
      </TableCell>
      <TableCell align="right" className="tabular">
        {count(redditData.score ?? 0)}
      </TableCell>
    </>
  );
}

export function SkippedTable({ posts, label }: { posts: readonly SkippedPost[]; label: (reason: string) => string }) {
  return (
    <DataTable
      label={TEXT.title}
      columns={COLUMNS}
      rows={posts}
      keyOf={(post) => post._id}
      render={(post) => <Row post={post} label={label(post.skipReason)} />}
    />
  );
}
