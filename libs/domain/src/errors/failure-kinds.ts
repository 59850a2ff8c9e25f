import type { FailureKind } from '@autoposter/contracts';

/** Whose system failed or who has to act: Autoposter, the operator's settings, or an external system. */
export const SIDES = ['ours', 'operator', 'reddit', 'instagram', 'gemini', 'groq', 'google', 'storage'] as const;
export type Side = (typeof SIDES)[number];

/**
 * `backoff`: retry soon, counts as an attempt. `outage`: a part of this installation is down, and every job that needs it fails; retry until it is
 * back, does not count within a day. `wait`: retry at a known date, does not count. `never`: a person has to act.
 */
export type RetryRule = 'backoff' | 'outage' | 'wait' | 'never';

export const FAILURE_POLICY: Record<FailureKind, RetryRule> = {
  transient: 'backoff',
  unavailable: 'outage',
  rate_limited: 'wait',
  quota_exceeded: 'wait',
  not_configured: 'never',
  not_authorised: 'never',
  not_found: 'never',
  not_offered: 'never',
  invalid_input: 'never',
  conflict: 'never',
  upstream_rejected: 'never',
  unsupported_media: 'never',
  too_large: 'never',
  corrupt_media: 'never',
  integrity: 'backoff',
  rights_blocked: 'never',
  policy: 'never',
  unknown_outcome: 'never',
  internal: 'backoff',
};

/**
 * What a person can do about a failure: a closed set of codes with one sentence each. Whether a failure is retried is rendered from its
 * retry rule and attempts, so these sentences hold before and after the last attempt. `{names}` are fields of the failure.
 */
export const NEXT_ACTIONS = {
  none: 'Nothing to do.',
  // settings of the installation
  set_variables: 'Set {variables}, then retry.',
  check_variables: 'Check {variables}.',
  set_media_address: 'Set CDN_BASE_URL to an address that the internet reaches, then retry.',
  lower_repost_share: 'Publish other posts first, mark this one as edited, or change the limit on the Rights screen.',
  set_media_address_or_login: 'Set CDN_BASE_URL to a public address, or use a token of Facebook Login.',
  set_account_of_token: 'Set INSTAGRAM_BUSINESS_ACCOUNT_ID to the account of the token.',
  set_listed_model: 'Set {variables} to a model that the provider lists.',
  set_model_or_upgrade: 'Set {variables} to another model, or upgrade the plan.',
  set_larger_model_or_upgrade: 'Upgrade the plan, or set {variables} to a model with a larger limit of tokens per minute.',
  set_larger_model: 'Use a model with a larger limit of tokens per minute.',
  check_key_or_model: 'Check {variables}, and that its key may use the model.',
  enable_gemini_api: 'Enable the Generative Language API for the project of the key.',
  check_reddit_keys: 'Check REDDIT_CLIENT_ID, REDDIT_CLIENT_SECRET and whether Reddit has approved this application.',
  check_reddit_network: 'Check REDDIT_USER_AGENT and REDDIT_CLIENT_ID; Reddit blocks unknown applications and many data-centre networks.',
  get_reddit_keys: 'Set REDDIT_CLIENT_ID and REDDIT_CLIENT_SECRET; since November 2025 Reddit issues keys on request only.',
  install_ffmpeg_filters: 'Install an ffmpeg that was built with zimg, then retry.',
  install_ffmpeg: 'Install ffmpeg (with ffprobe) or set FFMPEG_PATH and FFPROBE_PATH.',
  check_graph_address: 'Check INSTAGRAM_GRAPH_URL and the network between.',
  check_account_and_token: 'Check INSTAGRAM_BUSINESS_ACCOUNT_ID and the access token.',
  check_media_address: 'Check that CDN_BASE_URL can be reached from the internet without login.',
  raise_daily_limit: 'Raise AI_DAILY_LIMIT to continue earlier.',
  upgrade_plan: 'Upgrade the plan to continue earlier.',
  upgrade_plan_or_key: 'To continue earlier, upgrade the plan or use a key of another project.',
  check_billing: 'Check the plan and billing of the project.',
  add_credit: 'Add credit to the project of the key.',
  // access token and account
  create_token: 'Create a new access token and set INSTAGRAM_ACCESS_TOKEN.',
  create_token_with_permission: 'Create a token with the permissions to read posts and to publish content.',
  create_token_by_hand: 'Create a new token by hand, or use one of a Page or a system user, which does not expire.',
  sign_in_again: 'Sign in at Instagram or Facebook, then create a new access token.',
  confirm_account: 'Confirm the account, then create a new access token.',
  add_page_role: 'Give the user a role on the Page, then create a new access token.',
  check_application: 'Check the capabilities of the application at Meta.',
  check_metrics_permission: 'If other posts have no metrics either, grant the permission to read insights.',
  clear_account: 'Sign in at Instagram and clear what it asks for; then resume publishing.',
  publish_less: 'Check the account, wait some hours and publish less often; then resume publishing.',
  check_account: 'Check the account before you retry.',
  configure_account: 'Queue it again for the present account, or configure the former one.',
  check_accounts: 'Check the account under Settings; it says what is wrong and connects it again.',
  connect_again: 'Connect the account again under Settings.',
  connect_again_or_check_app:
    'Connect the account again under Settings; if this repeats, check the id, the secret and the redirect address of the application at Meta.',
  connect_or_remove_by_hand:
    'Connect the account again under Settings, or remove the post in the Instagram app and confirm its removal here.',
  remove_by_hand: 'Remove the post in the Instagram app, then confirm its removal here.',
  sign_in_and_connect: 'Sign in at Instagram or Facebook, then connect the account again under Settings.',
  confirm_and_connect: 'Confirm the account, then connect it again under Settings.',
  add_page_role_and_connect: 'Give the user a role on the Page, then connect the account again under Settings.',
  connect_with_permissions: 'Connect the account again and grant all permissions that the login lists.',
  connect_with_page: 'Link the account with a Page of yours, or use Instagram Login; then connect it again.',
  connect_other_account: 'Choose another account at the login.',
  // storage, disk, event bus
  free_disk_space: 'Free disk space.',
  free_storage_space: 'Make the storage larger or free space in it.',
  allow_folder_access: 'Give the service write access to its data folder.',
  check_storage_keys: 'Check MINIO_ACCESS_KEY and MINIO_SECRET_KEY and what they may do in the bucket.',
  check_storage_settings: 'Check MINIO_ENDPOINT and MINIO_BUCKET.',
  declare_topics: 'Declare the topics with the migration step, then start again.',
  raise_message_limit: 'Raise max.message.bytes of the topic; the message is kept and sent again.',
  check_bus: 'Check the event bus if this persists.',
  check_network: 'Check the network if this persists.',
  allow_pod_access: 'Give the service account of the gateway "get" and "list" on pods and pods/log.',
  // the post, its source and its files
  leave_out: 'Nothing to do: the post is left out.',
  leave_out_kind: 'Nothing to do: this kind of file is left out.',
  leave_out_size: 'Nothing to do: files of this size are left out.',
  leave_out_removed: 'Leave it out: removed posts must not be used.',
  check_source: 'Check the post at its source, then retry the download.',
  open_source: 'Open the post at its source and check that its media is still there.',
  open_source_or_remove: 'Open the post at its source, or remove it from the list.',
  retry_when_playable: 'Retry once the post shows its video or pictures at its source.',
  download_again: 'Download the post again; if this repeats, check the object store.',
  retry_download: 'Retry the item from its download.',
  process_again: 'Process the post again; if it fails again, use another file.',
  protect_again: 'Run DMCA protection again: it leaves the last files out and says so.',
  check_address: 'Check the address.',
  check_address_or_name: 'Check the address or the name.',
  check_spelling: 'Check the spelling of the name.',
  paste_post_address: "Open the link in a browser and paste the post's own address.",
  paste_instagram_address: "Paste the post's own address (/p/… or /reel/…).",
  paste_address_with_account:
    'Paste the address with the account in it (instagram.com/name/reel/…), or post it by hand in the Instagram app, with the consent of its owner.',
  post_by_hand: 'Post it by hand in the Instagram app, with the consent of its owner.',
  post_by_hand_own_only:
    'Only own posts can be read with Instagram Login. Post it by hand in the Instagram app, with the consent of its owner.',
  get_consent: 'Do not use this post without the consent of its owner.',
  use_another_post: 'Use another post.',
  do_not_use: 'Do not use this post.',
  do_not_use_disputed: 'Do not use this post; its rights are disputed.',
  remove_subreddit: 'Remove the subreddit.',
  remove_subreddit_or_ask: 'Remove the subreddit, or ask its moderators for access.',
  request_fewer_posts: 'Request fewer posts at a time.',
  use_fewer_frames: 'Use fewer or smaller frames.',
  use_2_to_10_files: 'Use a post with 2 to 10 files.',
  // rights
  upload_work: 'Upload the file of the work to its claim.',
  ask_for_permission: 'Ask for a permission on the Rights screen, or discard the post.',
  withdraw_wrong_claim: 'Do not post this media. If the claim is wrong, withdraw it and run DMCA protection again.',
  withdraw_wrong_match: 'Do not post this media. If the match is wrong, withdraw the claim and run DMCA protection again.',
  acknowledge_strikes: 'Read them on the Rights screen, under Notices. Resuming publishing acknowledges them.',
  resume_publishing: 'Resume publishing when you are ready.',
  compare_works: 'Compare them on the Rights screen, then queue the post again from Processed Content.',
  use_the_other_post: 'Nothing to do: continue with the other post.',
  discard_item: 'Do not post this media; discard the item.',
  files_deleted: 'Its files were deleted here; it cannot be used any more.',
  decide_about_instagram_post: 'Its files were deleted here; decide whether the post on Instagram is deleted as well.',
  // caption
  rewrite_caption: 'Generate the caption again, perhaps with other options, or write it by hand.',
  write_caption: 'Check the post; write its caption by hand, try another model, or discard it.',
  change_caption: 'Change the caption and queue the post again.',
  change_options: 'Change the publish options of the post, then retry.',
  shorten_mentions: 'Shorten the caption to at most 20 mentions.',
  shorten_caption: 'Shorten the caption to 2,200 characters and remove hashtags.',
  compare_posts: 'Compare the two; change the caption and queue it again if it really is another post.',
  // publishing
  reconciled_automatically: 'Nothing to do: the account is checked automatically until the result is certain.',
  confirm_publication: 'Check the account and confirm in the queue whether the post exists.',
  post_again: 'Nothing was published: retry the post later, which makes a new upload.',
  post_again_check_media: 'It was tried twice; check that media can be fetched from CDN_BASE_URL, then retry the post.',
  queue_again: 'Queue the post again.',
  remove_cause: 'Remove the cause; the post goes out afterwards.',
  remove_cause_and_resume: 'Remove the cause, then resume publishing; every post keeps its place in the queue.',
  start_poster: 'Start the instagram-poster service; the post goes out once it runs.',
  check_gateway_log: 'Check the log of the gateway and restart it.',
  look_outcome_up: 'Start the instagram-poster service, or check its log. The post is not sent again before it was looked up.',
  check_poster_log: 'Check the log of the instagram-poster service and restart it.',
  accept_backlog:
    'Check the queue and remove what came too late, then resume publishing: the posts go out in their order, one per interval from then on.',
  accept_account: 'Resume publishing to publish them on the present account, or set INSTAGRAM_BUSINESS_ACCOUNT_ID to the former one.',
  comment_by_hand: 'Check the post on Instagram and comment on it by hand.',
  run_steps_again: 'Check the post; run the steps before the queue again.',
  // a defect or an unexplained end
  check_log: 'Check the server log of that time.',
  check_log_and_replay: 'Check the server log of that time; replay the job once the cause is fixed.',
  check_worker_log: 'Retry it; if this happens often, check the log of the worker.',
  check_downloader_log: 'Nothing to do: the next run has started; if this happens often, check the log of the downloader.',
  check_details: 'Check the details of this failure.',
  check_token_and_details: 'Check the access token and the details of this failure.',
  report_defect: 'This is a defect of Autoposter; report it with the details of this failure.',
  process_ends: 'Nothing to do: the process is ending.',
} as const;
export type NextActionCode = keyof typeof NEXT_ACTIONS;

/** One way in which work fails. `{names}` in its sentence and in the sentence of its action are fields of the failure. */
export interface FailureRow<Message extends string = string> {
  kind: FailureKind;
  side: Side;
  message: Message;
  action: NextActionCode;
  /** The variables that the action names. */
  variables?: string;
}

export const row = <const Message extends string>(
  kind: FailureKind,
  side: Side,
  message: Message,
  action: NextActionCode = 'none',
  variables?: string,
): FailureRow<Message> => ({ kind, side, message, action, ...(variables === undefined ? {} : { variables }) });
