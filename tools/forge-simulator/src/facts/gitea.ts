/**
 * Gitea's and Forgejo's operations that the simulator answers: what both describe alike, and what each has of its own.
 * The notation is that of `description/read-facts.ts`. Used where the published description is not at hand.
 */
const SHARED = `
DELETE /repos/{owner}/{repo}/branch_protections/{name}
DELETE /repos/{owner}/{repo}/branches/{branch*}
DELETE /repos/{owner}/{repo}/hooks/{id}
DELETE /repos/{owner}/{repo}/issues/comments/{id}
DELETE /repos/{owner}/{repo}/issues/comments/{id}/reactions : content=string
DELETE /repos/{owner}/{repo}/issues/{index}/reactions : content=string
DELETE /repos/{owner}/{repo}/labels/{id}
DELETE /repos/{owner}/{repo}/pulls/{index}/reviews/{id}
GET /repos/{owner}/{repo}
GET /repos/{owner}/{repo}/branch_protections
GET /repos/{owner}/{repo}/branch_protections/{name}
GET /repos/{owner}/{repo}/branches/{branch*}
GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission
GET /repos/{owner}/{repo}/commits/{sha}/status ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/commits/{sha}/statuses ?sort=oldest|recentupdate|leastupdate|leastindex|highestindex ?state=pending|success|error|failure|warning ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/contents/{filepath*} ?ref=string
GET /repos/{owner}/{repo}/git/blobs/{sha}
GET /repos/{owner}/{repo}/git/commits/{sha} ?stat=boolean ?verification=boolean ?files=boolean
GET /repos/{owner}/{repo}/git/trees/{sha} ?recursive=boolean ?page=integer ?per_page=integer
GET /repos/{owner}/{repo}/hooks ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/hooks/{id}
GET /repos/{owner}/{repo}/issues/comments ?since=string ?before=string ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/issues/comments/{id}
GET /repos/{owner}/{repo}/issues/comments/{id}/reactions
GET /repos/{owner}/{repo}/issues/{index}
GET /repos/{owner}/{repo}/issues/{index}/comments ?since=string ?before=string
GET /repos/{owner}/{repo}/issues/{index}/labels
GET /repos/{owner}/{repo}/issues/{index}/reactions ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/issues/{index}/timeline ?since=string ?page=integer ?limit=integer ?before=string
GET /repos/{owner}/{repo}/labels/{id}
GET /repos/{owner}/{repo}/milestones ?state=string ?name=string ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/milestones/{id}
GET /repos/{owner}/{repo}/pulls/{index}
GET /repos/{owner}/{repo}/pulls/{index}.diff ?binary=boolean
GET /repos/{owner}/{repo}/pulls/{index}.patch ?binary=boolean
GET /repos/{owner}/{repo}/pulls/{index}/commits ?page=integer ?limit=integer ?verification=boolean ?files=boolean
GET /repos/{owner}/{repo}/pulls/{index}/files ?skip-to=string ?whitespace=ignore-all|ignore-change|ignore-eol|show-all ?page=integer ?limit=integer
DELETE /repos/{owner}/{repo}/pulls/{index}/merge
GET /repos/{owner}/{repo}/pulls/{index}/merge
GET /repos/{owner}/{repo}/pulls/{index}/reviews ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}
GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments
GET /repos/{owner}/{repo}/raw/{filepath*} ?ref=string
GET /repos/{owner}/{repo}/statuses/{sha} ?sort=oldest|recentupdate|leastupdate|leastindex|highestindex ?state=pending|success|error|failure|warning ?page=integer ?limit=integer
GET /settings/api
GET /user
GET /users/{username}
GET /version
PATCH /repos/{owner}/{repo}/labels/{id} : color=string description=string exclusive=boolean is_archived=boolean name=string
POST /repos/{owner}/{repo}/branches : new_branch_name!=string old_branch_name=string old_ref_name=string
POST /repos/{owner}/{repo}/hooks/{id}/tests ?ref=string
POST /repos/{owner}/{repo}/issues/comments/{id}/reactions : content=string
POST /repos/{owner}/{repo}/issues/{index}/reactions : content=string
POST /repos/{owner}/{repo}/labels : color!=string description=string exclusive=boolean is_archived=boolean name!=string
POST /repos/{owner}/{repo}/milestones : description=string due_on=string state=open|closed title=string
POST /repos/{owner}/{repo}/pulls/{index}/requested_reviewers : reviewers=[]string team_reviewers=[]string
POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissals : message=string priors=boolean
`;

const GITEA = `
DELETE /repos/{owner}/{repo}/issues/{index}/labels/{label}
GET /repos/{owner}/{repo}/branches ?page=integer ?limit=integer ?q=string
GET /repos/{owner}/{repo}/commits ?sha=string ?path=string ?since=string ?until=string ?stat=boolean ?verification=boolean ?files=boolean ?page=integer ?limit=integer ?not=string
GET /repos/{owner}/{repo}/compare/{basehead*} ?output=diff|patch
GET /repos/{owner}/{repo}/issues ?state=closed|open|all ?labels=string ?q=string ?type=issues|pulls ?milestones=string ?since=string ?before=string ?created_by=string ?assigned_by=string ?mentioned_by=string ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/labels ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/pulls ?base_branch=string ?state=open|closed|all ?sort=oldest|recentupdate|recentclose|leastupdate|mostcomment|leastcomment|priority ?milestone=integer ?labels=[]integer ?poster=string ?page=integer ?limit=integer
PATCH /repos/{owner}/{repo}/branch_protections/{name} : approvals_whitelist_teams=[]string approvals_whitelist_username=[]string block_admin_merge_override=boolean block_on_official_review_requests=boolean block_on_outdated_branch=boolean block_on_rejected_reviews=boolean bypass_allowlist_teams=[]string bypass_allowlist_usernames=[]string dismiss_stale_approvals=boolean enable_approvals_whitelist=boolean enable_bypass_allowlist=boolean enable_force_push=boolean enable_force_push_allowlist=boolean enable_merge_whitelist=boolean enable_push=boolean enable_push_whitelist=boolean enable_status_check=boolean force_push_allowlist_deploy_keys=boolean force_push_allowlist_teams=[]string force_push_allowlist_usernames=[]string ignore_stale_approvals=boolean merge_whitelist_teams=[]string merge_whitelist_usernames=[]string priority=integer protected_file_patterns=string push_whitelist_deploy_keys=boolean push_whitelist_teams=[]string push_whitelist_usernames=[]string require_signed_commits=boolean required_approvals=integer status_check_contexts=[]string unprotected_file_patterns=string
PATCH /repos/{owner}/{repo}/hooks/{id} : active=boolean authorization_header=string branch_filter=string config=object events=[]string name=string
PATCH /repos/{owner}/{repo}/issues/comments/{id} : body!=string
PATCH /repos/{owner}/{repo}/issues/{index} : assignee=string assignees=[]string body=string content_version=integer due_date=string milestone=integer projects=[]integer ref=string state=string title=string unset_due_date=boolean
PATCH /repos/{owner}/{repo}/milestones/{id} : description=string due_on=string state=open|closed title=string
PATCH /repos/{owner}/{repo}/pulls/{index} : allow_maintainer_edit=boolean assignee=string assignees=[]string base=string body=string content_version=integer due_date=string labels=[]integer milestone=integer state=string title=string unset_due_date=boolean
POST /repos/{owner}/{repo}/branch_protections : approvals_whitelist_teams=[]string approvals_whitelist_username=[]string block_admin_merge_override=boolean block_on_official_review_requests=boolean block_on_outdated_branch=boolean block_on_rejected_reviews=boolean branch_name=string bypass_allowlist_teams=[]string bypass_allowlist_usernames=[]string dismiss_stale_approvals=boolean enable_approvals_whitelist=boolean enable_bypass_allowlist=boolean enable_force_push=boolean enable_force_push_allowlist=boolean enable_merge_whitelist=boolean enable_push=boolean enable_push_whitelist=boolean enable_status_check=boolean force_push_allowlist_deploy_keys=boolean force_push_allowlist_teams=[]string force_push_allowlist_usernames=[]string ignore_stale_approvals=boolean merge_whitelist_teams=[]string merge_whitelist_usernames=[]string priority=integer protected_file_patterns=string push_whitelist_deploy_keys=boolean push_whitelist_teams=[]string push_whitelist_usernames=[]string require_signed_commits=boolean required_approvals=integer rule_name=string status_check_contexts=[]string unprotected_file_patterns=string
POST /repos/{owner}/{repo}/contents : author=object branch=string committer=object dates=object files!=[]object force_push=boolean message=string new_branch=string signoff=boolean
POST /repos/{owner}/{repo}/hooks : active=boolean authorization_header=string branch_filter=string config!=object events=[]string name=string type!=dingtalk|discord|gitea|gogs|msteams|slack|telegram|feishu|wechatwork|packagist
POST /repos/{owner}/{repo}/issues : assignee=string assignees=[]string body=string closed=boolean due_date=string labels=[]integer milestone=integer projects=[]integer ref=string title!=string
POST /repos/{owner}/{repo}/issues/{index}/comments : body!=string
POST /repos/{owner}/{repo}/issues/{index}/labels : labels=array
POST /repos/{owner}/{repo}/pulls : allow_maintainer_edit=boolean assignee=string assignees=[]string base=string body=string due_date=string head=string labels=[]integer milestone=integer reviewers=[]string team_reviewers=[]string title=string
POST /repos/{owner}/{repo}/pulls/comments/{id}/resolve
POST /repos/{owner}/{repo}/pulls/comments/{id}/unresolve
POST /repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies : body=string
POST /repos/{owner}/{repo}/pulls/{index}/merge : delete_branch_after_merge=boolean do!=merge|rebase|rebase-merge|squash|fast-forward-only|manually-merged force_merge=boolean head_commit_id=string merge_commit_id=string merge_message_field=string merge_title_field=string merge_when_checks_succeed=boolean
POST /repos/{owner}/{repo}/pulls/{index}/reviews : body=string comments=[]object commit_id=string event=APPROVED|PENDING|COMMENT|REQUEST_CHANGES|REQUEST_REVIEW
POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id} : body=string event=APPROVED|PENDING|COMMENT|REQUEST_CHANGES|REQUEST_REVIEW
POST /repos/{owner}/{repo}/statuses/{sha} : context=string description=string state=pending|success|error|failure|warning|skipped target_url=string
PUT /repos/{owner}/{repo}/issues/{index}/labels : labels=array
`;

const FORGEJO = `
DELETE /repos/{owner}/{repo}/issues/{index}/labels/{label} : updated_at=string
DELETE /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments/{comment}
GET /repos/{owner}/{repo}/branches ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/commits ?sha=string ?path=string ?stat=boolean ?verification=boolean ?files=boolean ?page=integer ?limit=integer ?not=string
GET /repos/{owner}/{repo}/compare/{basehead*}
GET /repos/{owner}/{repo}/issues ?state=closed|open|all ?labels=string ?q=string ?type=issues|pulls ?milestones=string ?since=string ?before=string ?created_by=string ?assigned_by=string ?mentioned_by=string ?page=integer ?limit=integer ?sort=relevance|latest|oldest|recentupdate|leastupdate|mostcomment|leastcomment|nearduedate|farduedate
GET /repos/{owner}/{repo}/labels ?sort=mostissues|leastissues|reversealphabetically ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/pulls ?state=open|closed|all ?sort=oldest|recentupdate|recentclose|leastupdate|mostcomment|leastcomment|priority ?milestone=integer ?labels=[]integer ?poster=string ?base=string ?head=string ?page=integer ?limit=integer
GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments/{comment}
PATCH /repos/{owner}/{repo}/branch_protections/{name} : apply_to_admins=boolean approvals_whitelist_teams=[]string approvals_whitelist_username=[]string block_on_official_review_requests=boolean block_on_outdated_branch=boolean block_on_rejected_reviews=boolean dismiss_stale_approvals=boolean enable_approvals_whitelist=boolean enable_merge_whitelist=boolean enable_push=boolean enable_push_whitelist=boolean enable_status_check=boolean ignore_stale_approvals=boolean merge_whitelist_teams=[]string merge_whitelist_usernames=[]string protected_file_patterns=string push_whitelist_deploy_keys=boolean push_whitelist_teams=[]string push_whitelist_usernames=[]string require_signed_commits=boolean required_approvals=integer status_check_contexts=[]string unprotected_file_patterns=string
PATCH /repos/{owner}/{repo}/hooks/{id} : active=boolean authorization_header=string branch_filter=string config=object events=[]string
PATCH /repos/{owner}/{repo}/issues/comments/{id} : body!=string updated_at=string
PATCH /repos/{owner}/{repo}/issues/{index} : assignee=string assignees=[]string body=string due_date=string milestone=integer ref=string state=string title=string unset_due_date=boolean updated_at=string
PATCH /repos/{owner}/{repo}/milestones/{id} : description=string due_on=string state=string title=string
PATCH /repos/{owner}/{repo}/pulls/{index} : allow_maintainer_edit=boolean assignee=string assignees=[]string base=string body=string due_date=string labels=[]integer milestone=integer state=string title=string unset_due_date=boolean
POST /repos/{owner}/{repo}/branch_protections : apply_to_admins=boolean approvals_whitelist_teams=[]string approvals_whitelist_username=[]string block_on_official_review_requests=boolean block_on_outdated_branch=boolean block_on_rejected_reviews=boolean branch_name=string dismiss_stale_approvals=boolean enable_approvals_whitelist=boolean enable_merge_whitelist=boolean enable_push=boolean enable_push_whitelist=boolean enable_status_check=boolean ignore_stale_approvals=boolean merge_whitelist_teams=[]string merge_whitelist_usernames=[]string protected_file_patterns=string push_whitelist_deploy_keys=boolean push_whitelist_teams=[]string push_whitelist_usernames=[]string require_signed_commits=boolean required_approvals=integer rule_name=string status_check_contexts=[]string unprotected_file_patterns=string
POST /repos/{owner}/{repo}/contents : author=object branch=string committer=object dates=object files!=[]object force_overwrite_new_branch=boolean message=string new_branch=string signoff=boolean
POST /repos/{owner}/{repo}/hooks : active=boolean authorization_header=string branch_filter=string config!=object events=[]string type!=forgejo|dingtalk|discord|gitea|gogs|msteams|slack|telegram|feishu|wechatwork|packagist
POST /repos/{owner}/{repo}/issues : assignee=string assignees=[]string body=string closed=boolean due_date=string labels=[]integer milestone=integer ref=string title!=string
POST /repos/{owner}/{repo}/issues/{index}/comments : body!=string updated_at=string
POST /repos/{owner}/{repo}/issues/{index}/labels : labels=array updated_at=string
POST /repos/{owner}/{repo}/pulls : assignee=string assignees=[]string base=string body=string due_date=string head=string labels=[]integer milestone=integer title=string
POST /repos/{owner}/{repo}/pulls/{index}/merge : Do!=merge|rebase|rebase-merge|squash|fast-forward-only|manually-merged MergeCommitID=string MergeMessageField=string MergeTitleField=string delete_branch_after_merge=boolean force_merge=boolean head_commit_id=string merge_when_checks_succeed=boolean
POST /repos/{owner}/{repo}/pulls/{index}/reviews : body=string comments=[]object commit_id=string event=string
POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id} : body=string event=string
POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments : body=string extra_lines_count=integer new_position=integer old_position=integer path=string
POST /repos/{owner}/{repo}/statuses/{sha} : context=string description=string state=string target_url=string
PUT /repos/{owner}/{repo}/issues/{index}/labels : labels=array updated_at=string
`;

export const giteaFacts = (kind: 'gitea' | 'forgejo'): string => `${SHARED}${kind === 'gitea' ? GITEA : FORGEJO}`;
