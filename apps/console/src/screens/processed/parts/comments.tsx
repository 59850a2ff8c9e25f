import type { TopComment } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { PROCESSED_TEXT } from '../../../text/processed.text';
import { count, truncate } from '../../../ui/format';

interface CommentsProps {
  comments: readonly TopComment[];
  characters?: number;
  onUse?: (body: string) => void;
}

function repliesOf({ replies, replyCount = replies.length }: TopComment): string {
  return replyCount === 1 ? '1 reply' : `${count(replyCount)} replies`;
}

/** What people said at the source. */
export function Comments({ comments, characters, onUse }: CommentsProps) {
  return (
    <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 3 }}>
      {comments.map((comment) => (
        <Box component="li" key={comment.id} sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
          <Box className="tabular" sx={{ fontSize: 12, color: 'text.secondary' }}>
            <strong>{comment.author}</strong> · {count(comment.score)} points
            {` · ${repliesOf(comment)}`}
          </Box>
          <Box title={comment.body}>{characters === undefined ? comment.body : truncate(comment.body, characters)}</Box>
          {onUse === undefined ? null : (
            <Button size="small" variant="outlined" onClick={() => onUse(comment.body)}>
              {PROCESSED_TEXT.useAsCaption}
            </Button>
          )}
        </Box>
      ))}
    </Stack>
  );
}
