"""Errors as Dagster failures: one place, no retries where a rerun changes nothing."""

import dagster as dg
import pytest

from indx_core.app.ingest.task import DocumentOutcome, DocumentTask, StageFailure
from indx_core.contracts.errors import IndxError, SettingsInvalid, SourceEncrypted, SourceTemporarilyUnreadable
from indx_core.contracts.ingest import IngestOptions, Stage
from resources.failures import batch_failure, faults_of_the_deployment, is_deployment_fault


def outcome(error: IndxError) -> DocumentOutcome:
    task = DocumentTask("c/a", "c", "a", "file:///a", "1", "c/a", (Stage.OBSERVATION,), IngestOptions())
    return DocumentOutcome(task, failure=StageFailure(Stage.OBSERVATION, error))


def test_a_batch_failure_lists_documents_with_code_cause_and_remedy_and_is_not_retried() -> None:
    failure = batch_failure([outcome(SourceEncrypted("needs a password"))], 10)
    assert "1 of 10" in failure.description
    assert failure.allow_retries is False
    (record,) = failure.metadata["failed"].records
    assert (record.data["code"], record.data["cause"]) == ("source_encrypted", "permanent")
    assert record.data["remedy"]


def test_only_a_fault_of_the_deployment_would_meet_every_other_document_too() -> None:
    assert is_deployment_fault(outcome(SettingsInvalid("INDX_X")))
    assert not is_deployment_fault(outcome(SourceEncrypted("x")))
    assert not is_deployment_fault(outcome(SourceTemporarilyUnreadable("x")))


def test_a_typed_error_that_reaches_a_step_becomes_a_failure_with_its_remedy() -> None:
    with pytest.raises(dg.Failure, match="correct the variable") as caught, faults_of_the_deployment():
        raise SettingsInvalid("INDX_OCR_DPI: Input should be greater than 0")
    assert caught.value.allow_retries is False


def test_where_nothing_went_through_no_others_are_said_to_be_done() -> None:
    refused = outcome(SourceEncrypted("needs a password"))
    assert batch_failure([refused], 1).description == "1 of 1 documents could not be processed"
    assert str(batch_failure([refused], 2).description).endswith("; the others are done")
