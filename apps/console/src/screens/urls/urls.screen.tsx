import Box from '@mui/material/Box';
import { URLS_TEXT } from '../../text/urls.text';
import { Page } from '../../ui/page';
import { DownloadQueue } from './download-queue';
import { UrlForm } from './url-form';

/** Takes in pasted links and shows every post on its way. */
export function UrlsScreen() {
  return (
    <Page title={URLS_TEXT.title} lead="Paste links to posts, and follow each of them through the pipeline.">
      <Box sx={{ display: 'grid', gap: 5 }}>
        <UrlForm />
        <DownloadQueue />
      </Box>
    </Page>
  );
}
