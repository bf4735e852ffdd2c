/**
 * GitLab's operations that the simulator answers: those of the published v2 description, and the ones that it lacks.
 * The notation is that of `description/read-facts.ts`. The published file, where it is at hand, beats the first part.
 */
export const gitlabFacts = `
DELETE /projects/{id}/hooks/{hook_id}
DELETE /projects/{id}/merge_requests/{iid}/award_emoji/{award_id}
DELETE /projects/{id}/merge_requests/{iid}/draft_notes/{draft_note_id}
DELETE /projects/{id}/merge_requests/{iid}/notes/{note_id}/award_emoji/{award_id}
DELETE /projects/{id}/protected_branches/{name}
DELETE /projects/{id}/repository/branches/{branch}
GET /metadata
GET /personal_access_tokens/self
GET /projects/{id} ?statistics=boolean ?with_custom_attributes=boolean ?license=boolean
GET /projects/{id}/hooks ?page=integer ?per_page=integer
GET /projects/{id}/hooks/{hook_id}
GET /projects/{id}/hooks/{hook_id}/events ?status=array ?per_page=integer ?page=integer
GET /projects/{id}/issues ?with_labels_details=boolean ?state=opened|closed|all ?closed_by_id=integer ?order_by=created_at|due_date|label_priority|milestone_due|popularity|priority|relative_position|title|updated_at|weight ?sort=asc|desc ?due_date=string ?issue_type=issue|incident|test_case|requirement|task|ticket ?labels=[]string ?milestone=string ?milestone_id=Any|None|Upcoming|Started ?iids=[]integer ?search=string ?in=string ?author_id=integer ?author_username=string ?assignee_id=integer ?assignee_username=[]string ?created_after=string ?created_before=string ?updated_after=string ?updated_before=string ?not[labels]=[]string ?not[milestone]=string ?not[milestone_id]=Any|None|Upcoming|Started ?not[iids]=[]integer ?not[author_id]=integer ?not[author_username]=string ?not[assignee_id]=integer ?not[assignee_username]=[]string ?not[weight]=integer ?not[iteration_id]=integer ?not[iteration_title]=string ?scope=created-by-me|assigned-to-me|created_by_me|assigned_to_me|all ?my_reaction_emoji=string ?confidential=boolean ?weight=integer ?epic_id=integer ?health_status=on_track|needs_attention|at_risk|none|any ?iteration_id=integer ?iteration_title=string ?page=integer ?per_page=integer ?cursor=string
GET /projects/{id}/issues/{iid}
GET /projects/{id}/members/all/{user_id}
GET /projects/{id}/merge_requests ?author_id=integer ?author_username=string ?assignee_id=integer ?assignee_username=[]string ?reviewer_username=string ?labels=[]string ?milestone=string ?my_reaction_emoji=string ?reviewer_id=integer ?state=opened|closed|locked|merged|all ?order_by=created_at|label_priority|milestone_due|popularity|priority|title|updated_at|merged_at ?sort=asc|desc ?with_labels_details=boolean ?with_merge_status_recheck=boolean ?created_after=string ?created_before=string ?updated_after=string ?updated_before=string ?view=simple ?scope=created-by-me|assigned-to-me|created_by_me|assigned_to_me|reviews_for_me|all ?source_branch=string ?source_project_id=integer ?target_branch=string ?search=string ?in=string ?wip=yes|no ?not[author_id]=integer ?not[author_username]=string ?not[assignee_id]=integer ?not[assignee_username]=[]string ?not[reviewer_username]=string ?not[labels]=[]string ?not[milestone]=string ?not[my_reaction_emoji]=string ?not[reviewer_id]=integer ?deployed_before=string ?deployed_after=string ?environment=string ?approved=yes|no ?merge_user_id=integer ?merge_user_username=string ?approver_ids=string ?approved_by_ids=string ?approved_by_usernames=string ?page=integer ?per_page=integer ?iids=[]integer
GET /projects/{id}/merge_requests/{iid} ?render_html=boolean ?include_diverged_commits_count=boolean ?include_rebase_in_progress=boolean
GET /projects/{id}/merge_requests/{iid}/award_emoji ?page=integer ?per_page=integer
GET /projects/{id}/merge_requests/{iid}/changes ?unidiff=boolean
GET /projects/{id}/merge_requests/{iid}/commits ?page=integer ?per_page=integer
GET /projects/{id}/merge_requests/{iid}/diffs ?page=integer ?per_page=integer ?unidiff=boolean
GET /projects/{id}/merge_requests/{iid}/draft_notes
GET /projects/{id}/merge_requests/{iid}/draft_notes/{draft_note_id}
GET /projects/{id}/merge_requests/{iid}/notes/{note_id}/award_emoji ?page=integer ?per_page=integer
GET /projects/{id}/merge_requests/{iid}/raw_diffs
GET /projects/{id}/merge_requests/{iid}/versions ?page=integer ?per_page=integer
GET /projects/{id}/merge_requests/{iid}/versions/{version_id} ?unidiff=boolean
GET /projects/{id}/protected_branches ?page=integer ?per_page=integer ?search=string
GET /projects/{id}/protected_branches/{name}
GET /projects/{id}/repository/blobs/{sha}/raw
GET /projects/{id}/repository/branches ?page=integer ?per_page=integer ?search=string ?regex=string ?sort=name_asc|updated_asc|updated_desc ?page_token=string
GET /projects/{id}/repository/branches/{branch}
GET /projects/{id}/repository/commits ?ref_name=string ?since=string ?until=string ?path=string ?author=string ?all=boolean ?with_stats=boolean ?first_parent=boolean ?order=default|topo ?trailers=boolean ?page=integer ?per_page=integer
GET /projects/{id}/repository/commits/{sha} ?stats=boolean
GET /projects/{id}/repository/commits/{sha}/diff ?page=integer ?per_page=integer ?unidiff=boolean
GET /projects/{id}/repository/commits/{sha}/statuses ?ref=string ?stage=string ?name=string ?pipeline_id=integer ?all=boolean ?order_by=id|pipeline_id ?sort=asc|desc ?page=integer ?per_page=integer
GET /projects/{id}/repository/compare ?from!=string ?to!=string ?from_project_id=integer ?straight=boolean ?unidiff=boolean
GET /projects/{id}/repository/files/{file_path} ?ref!=string
GET /projects/{id}/repository/files/{file_path}/raw ?ref=string ?lfs=boolean
GET /projects/{id}/repository/tree ?ref=string ?path=string ?recursive=boolean ?page=integer ?per_page=integer ?pagination=legacy|keyset|none ?page_token=string
GET /version
PATCH /projects/{id}/protected_branches/{name} : allow_force_push=boolean unprotect_access_level=integer allowed_to_push=[]object allowed_to_merge=[]object allowed_to_unprotect=[]object code_owner_approval_required=boolean
POST /projects/{id}/hooks : url!=string name=string description=string push_events=boolean issues_events=boolean confidential_issues_events=boolean merge_requests_events=boolean tag_push_events=boolean note_events=boolean confidential_note_events=boolean job_events=boolean pipeline_events=boolean wiki_page_events=boolean deployment_events=boolean feature_flag_events=boolean releases_events=boolean milestone_events=boolean emoji_events=boolean resource_access_token_events=boolean enable_ssl_verification=boolean token=string push_events_branch_filter=string custom_webhook_template=string branch_filter_strategy=wildcard|regex|all_branches vulnerability_events=boolean url_variables=[]object custom_headers=[]object
POST /projects/{id}/hooks/{hook_id}/events/{hook_log_id}/resend
POST /projects/{id}/hooks/{hook_id}/test/{trigger}
POST /projects/{id}/issues : title!=string created_at=string merge_request_to_resolve_discussions_of=integer discussion_to_resolve=string iid=integer description=string assignee_ids=[]integer assignee_id=integer milestone_id=integer labels=[]string add_labels=[]string remove_labels=[]string due_date=string confidential=boolean discussion_locked=boolean issue_type=issue|incident|test_case|requirement|task|ticket weight=integer epic_id=integer epic_iid=integer
POST /projects/{id}/merge_requests : title!=string source_branch!=string target_branch!=string target_project_id=integer assignee_id=integer assignee_ids=[]integer reviewer_ids=[]integer description=string labels=[]string add_labels=[]string remove_labels=[]string milestone_id=integer remove_source_branch=boolean allow_collaboration=boolean allow_maintainer_to_push=boolean squash=boolean merge_after=string approvals_before_merge=integer
POST /projects/{id}/merge_requests/{iid}/cancel_merge_when_pipeline_succeeds
POST /projects/{id}/merge_requests/{iid}/draft_notes : note!=string in_reply_to_discussion_id=string commit_id=string resolve_discussion=boolean position=object
POST /projects/{id}/merge_requests/{iid}/draft_notes/bulk_publish
POST /projects/{id}/merge_requests/{iid}/unapprove
POST /projects/{id}/protected_branches : name!=string push_access_level=integer merge_access_level=integer allow_force_push=boolean unprotect_access_level=integer allowed_to_push=[]object allowed_to_merge=[]object allowed_to_unprotect=[]object code_owner_approval_required=boolean
POST /projects/{id}/repository/branches : branch!=string ref!=string
POST /projects/{id}/statuses/{sha} : state!=pending|running|success|failed|canceled|skipped ref=string target_url=string description=string name=string context=string coverage=number pipeline_id=integer
PUT /projects/{id}/hooks/{hook_id} : url=string name=string description=string push_events=boolean issues_events=boolean confidential_issues_events=boolean merge_requests_events=boolean tag_push_events=boolean note_events=boolean confidential_note_events=boolean job_events=boolean pipeline_events=boolean wiki_page_events=boolean deployment_events=boolean feature_flag_events=boolean releases_events=boolean milestone_events=boolean emoji_events=boolean resource_access_token_events=boolean enable_ssl_verification=boolean token=string push_events_branch_filter=string custom_webhook_template=string branch_filter_strategy=wildcard|regex|all_branches vulnerability_events=boolean url_variables=[]object custom_headers=[]object
PUT /projects/{id}/issues/{iid} : title=string updated_at=string state_event=reopen|close description=string assignee_ids=[]integer assignee_id=integer milestone_id=integer labels=[]string add_labels=[]string remove_labels=[]string due_date=string confidential=boolean discussion_locked=boolean issue_type=issue|incident|test_case|requirement|task|ticket weight=integer epic_id=integer epic_iid=integer created_at=string
PUT /projects/{id}/merge_requests/{iid} : title=string target_branch=string state_event=close|reopen discussion_locked=boolean assignee_id=integer assignee_ids=[]integer reviewer_ids=[]integer description=string labels=[]string add_labels=[]string remove_labels=[]string milestone_id=integer remove_source_branch=boolean allow_collaboration=boolean allow_maintainer_to_push=boolean squash=boolean merge_after=string approvals_before_merge=integer
PUT /projects/{id}/merge_requests/{iid}/draft_notes/{draft_note_id} : note=string position=object
PUT /projects/{id}/merge_requests/{iid}/draft_notes/{draft_note_id}/publish
PUT /projects/{id}/merge_requests/{iid}/merge : merge_commit_message=string squash_commit_message=string should_remove_source_branch=boolean merge_when_pipeline_succeeds=boolean auto_merge=boolean sha=string squash=boolean skip_merge_train=boolean
# Not in the published v2 description; from the vendor's documentation pages.
GET /user
GET /users ?username=string ?search=string ?active=boolean
GET /users/{user_id}
GET /projects/{id}/merge_requests/{iid}/notes ?sort=asc|desc ?order_by=created_at|updated_at ?activity_filter=string
POST /projects/{id}/merge_requests/{iid}/notes : body!=string created_at=string internal=boolean merge_request_diff_head_sha=string
GET /projects/{id}/merge_requests/{iid}/notes/{note_id}
PUT /projects/{id}/merge_requests/{iid}/notes/{note_id} : body!=string
DELETE /projects/{id}/merge_requests/{iid}/notes/{note_id}
GET /projects/{id}/merge_requests/{iid}/discussions
POST /projects/{id}/merge_requests/{iid}/discussions : body!=string commit_id=string created_at=string position=object
GET /projects/{id}/merge_requests/{iid}/discussions/{discussion_id}
PUT /projects/{id}/merge_requests/{iid}/discussions/{discussion_id} ?resolved=boolean : resolved=boolean
POST /projects/{id}/merge_requests/{iid}/discussions/{discussion_id}/notes : body!=string created_at=string
PUT /projects/{id}/merge_requests/{iid}/discussions/{discussion_id}/notes/{note_id} : body=string resolved=boolean
DELETE /projects/{id}/merge_requests/{iid}/discussions/{discussion_id}/notes/{note_id}
GET /projects/{id}/merge_requests/{iid}/resource_state_events
GET /projects/{id}/issues/{iid}/resource_state_events
GET /projects/{id}/merge_requests/{iid}/resource_label_events
GET /projects/{id}/issues/{iid}/resource_label_events
GET /projects/{id}/issues/{iid}/notes ?sort=asc|desc ?order_by=created_at|updated_at
POST /projects/{id}/issues/{iid}/notes : body!=string created_at=string internal=boolean
PUT /projects/{id}/issues/{iid}/notes/{note_id} : body!=string
GET /projects/{id}/labels ?search=string ?with_counts=boolean ?include_ancestor_groups=boolean
POST /projects/{id}/labels : name!=string color!=string description=string priority=integer?
GET /projects/{id}/labels/{label_id}
PUT /projects/{id}/labels/{label_id} : new_name=string color=string description=string priority=integer?
DELETE /projects/{id}/labels/{label_id}
GET /projects/{id}/milestones ?state=active|closed ?search=string ?title=string
POST /projects/{id}/milestones : title!=string description=string due_date=string start_date=string
GET /projects/{id}/milestones/{milestone_id}
`;

/** Where the published description is wrong: a project's path stands for its number everywhere, and an action has only the fields that it uses. */
export const gitlabCorrections = `
GET /projects/{id}/merge_requests/{iid}/approvals
POST /projects/{id}/merge_requests/{iid}/approve : sha=string approval_password=string
POST /projects/{id}/merge_requests/{iid}/award_emoji : name!=string
POST /projects/{id}/merge_requests/{iid}/notes/{note_id}/award_emoji : name!=string
POST /projects/{id}/repository/commits : branch!=string commit_message!=string actions!=[]object start_branch=string start_sha=string start_project=integer author_email=string author_name=string stats=boolean force=boolean
`;
