/** Commit messages follow Conventional Commits: `type(scope): imperative summary`; the scope is an Nx project or a topic. */
export default {
  extends: ['@commitlint/config-conventional'],
  rules: { 'header-max-length': [2, 'always', 120], 'body-max-line-length': [0], 'subject-case': [0] },
};
